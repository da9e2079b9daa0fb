import Rac
import RacTesting
import Testing

/// A misuse that the types cannot forbid stops the program with a sentence about its cause.
@Suite struct MisuseTests {
    @Test("Negative numbers of values stop the program")
    func negativeCounts() async {
        await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.take(-1) }
        await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.take(last: -1) }
        await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.skip(-1) }
        await #expect(processExitsWith: .failure) { _ = Signal<Int, TestFailure>.never.retry(upTo: -1) }
        await #expect(processExitsWith: .failure) { _ = ReplaySubject<Int, Never>(capacity: -1) }
    }

    @Test("A capacity of zero stops the program")
    func noRoom() async {
        await #expect(processExitsWith: .failure) {
            _ = Signal<Int, Never>.never.flatMap(.concurrent(0)) { .just($0) }
        }
        await #expect(processExitsWith: .failure) { _ = Signal<Int, Never>.never.values(keepingNewest: 0) }
    }

    @Test("Time that stands still or goes back stops the program")
    func time() async {
        await #expect(processExitsWith: .failure) {
            TestScheduler().schedule(after: .zero, repeatingEvery: .zero) {}
        }
        await #expect(processExitsWith: .failure) {
            SerialScheduler(label: "misuse").schedule(after: .zero, repeatingEvery: .zero) {}
        }
        await #expect(processExitsWith: .failure) {
            let scheduler = TestScheduler()
            scheduler.advance(to: .seconds(2))
            scheduler.advance(to: .seconds(1))
        }
    }

    @Test("A misuse is reported in a sentence")
    func sentence() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let composite = CompositeDisposable()
            composite.add(composite)
        }
        let told = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(told.contains("A composite cannot be a member of itself."))
    }
}
