import Expectations
import Rac
import RacTesting
import Testing

@Suite struct AsyncTests {
    private typealias Ints = Signal<Int, TestFailure>

    @Test("First waits for a value and cancels the source")
    func first() async throws {
        let source = CountedSource(Ints(values: 7...))
        expect(try await source.signal.first() == 7)
        expect(source.subscribers == 0)
        expect(try await Ints.empty.first() == nil)
        await #expect(throws: TestFailure.e) { try await Ints.fail(.e).first() }
        #expect(await Signal<Int, Never>.just(1).first() == 1)
    }

    @Test("To array gathers all values, or fails even after values")
    func toArray() async throws {
        expect(try await Ints(values: 1...3).toArray() == [1, 2, 3])
        await #expect(throws: TestFailure.e) { try await Ints.just(1).concat(.fail(.e)).toArray() }
        #expect(await Signal<Int, Never>.empty.toArray() == [])
    }

    @Test("Waiting until completion drops values and throws the failure")
    func waitUntilCompleted() async throws {
        try await Ints(values: 1...3).waitUntilCompleted()
        await #expect(throws: TestFailure.e) { try await Ints.fail(.e).waitUntilCompleted() }
    }

    @Test("Values come one after another, then the failure, once")
    func values() async throws {
        var values = Ints(values: [1, 2]).concat(.fail(.e)).values.makeAsyncIterator()
        expect(try await values.next() == 1)
        expect(try await values.next() == 2)
        await #expect(throws: TestFailure.e) { try await values.next() }
        expect(try await values.next() == nil)
    }

    @Test("The last value comes at completion")
    func last() async throws {
        expect(try await Ints(values: 1...3).last() == 3)
        expect(try await Ints.empty.last() == nil)
        await #expect(throws: TestFailure.e) { try await Ints.just(1).concat(.fail(.e)).last() }
    }

    @Test("Values that a slow reader has not taken are kept, or only the newest with the end")
    func buffering() async throws {
        let s = Subject<Int, TestFailure>()
        var all = s.values.makeAsyncIterator()
        var newest = s.values(keepingNewest: 2).makeAsyncIterator()
        for value in 1...4 { s.send(value) }
        s.fail(.e)
        for value in 1...4 { expect(try await all.next() == value) }
        for value in 3...4 { expect(try await newest.next() == value) }
        await #expect(throws: TestFailure.e) { try await newest.next() }
    }

    @Test("A cancelled task waits no longer and the source is cancelled")
    func cancellation() async throws {
        let source = CountedSource(Subject<Int, TestFailure>())
        let task = Task { try await source.signal.first() }
        while source.subscribers == 0 { await Task.yield() }
        task.cancel()
        expect(try await task.value == nil)
        expect(source.subscribers == 0)
    }

    @Test("Breaking out of the values cancels the source")
    func breaking() async throws {
        let s = ReplaySubject<Int, Never>(capacity: 1)
        s.send(1)
        let source = CountedSource(s)
        for await value in source.signal.values {
            expect(value == 1)
            expect(source.subscribers == 1)
            break
        }
        expect(source.subscribers == 0)
    }
}
