import Expectations
import Rac
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct TaskSignalTests {
    @Test("A signal of a task sends what the task gives, and completes")
    func value() async {
        let signal = Signal<Int, Never>.task { 7 }
        let events = await signal.materialize().toArray()
        expect(events == [.value(7), .completed])
    }

    @Test("A signal of a task fails with what the task throws")
    func failure() async {
        let signal = Signal<Int, TestFailure>.task { () async throws(TestFailure) in throw .e }
        await #expect(throws: TestFailure.e) { try await signal.toArray() }
    }

    @Test("Each observer has a task of its own, and none runs without an observer")
    func cold() async {
        let runs = Counter()
        let signal = Signal<Int, Never>.task { runs.increment() }
        expect(runs.count == 0)
        let values = [await signal.first(), await signal.first()]
        expect(values == [1, 2])
    }

    @Test("Disposing the subscription cancels the task and silences it")
    func cancellation() async {
        let (began, cancelled) = (ReplaySubject<Void, Never>(), ReplaySubject<Bool, Never>())
        let heard = Counter()
        let signal = Signal<Int, Never>.task {
            began.send(())
            await Self.untilCancelled()
            cancelled.send(Task.isCancelled)
            return 1
        }
        let subscription = signal.observe { _ in heard.increment() }
        _ = await began.first()
        subscription.dispose()
        expect(await cancelled.first() == true)
        expect(heard.count == 0)
    }

    @Test("An asynchronous sequence is a signal, with its end")
    func sequence() async {
        let (stream, input) = AsyncStream<Int>.makeStream()
        let a = Recorder<Int, Never>()
        let over = ReplaySubject<Void, Never>(capacity: 1)
        let signal = Signal<Int, Never>(values: stream)
        a.observe(signal.finally { over.complete() })
        input.yield(1)
        input.yield(2)
        input.finish()
        await over.waitUntilCompleted()
        expect(a.events == events(1, 2, then: .completed))
    }

    @Test("A signal that is made of a signal's asynchronous sequence sends what that sends, the failure too")
    func bothWays() async {
        let source = Signal<Int, TestFailure>(values: [1, 2]).concat(.fail(.e))
        let again = Signal<Int, TestFailure>(values: source.values)
        let events = await again.materialize().toArray()
        expect(events == [.value(1), .value(2), .failed(.e)])
    }

    @Test("Disposing the signal of an asynchronous sequence ends its iteration")
    func sequenceCancelled() async {
        let (stream, input) = AsyncStream<Int>.makeStream()
        let ended = ReplaySubject<Void, Never>(capacity: 1)
        input.onTermination = { _ in ended.complete() }
        let subscription = Signal<Int, Never>(values: stream).observe { _ in }
        subscription.dispose()
        await ended.waitUntilCompleted()
    }

    @Test("Disposing the signal of a sequence without an end stops it, also if it does not heed that it is cancelled")
    func endlessSequence() async {
        let (began, gone) = (ReplaySubject<Int, Never>(capacity: 1), ReplaySubject<Void, Never>(capacity: 1))
        let signal = Signal<Int, Never>(values: Endless(gone: gone))
        let subscription = signal.onValue { began.send($0) }
        _ = await began.first()
        subscription.dispose()
        await gone.waitUntilCompleted()
    }

    /// Waits until the task is cancelled.
    private static func untilCancelled() async {
        let (stream, input) = AsyncStream<Never>.makeStream()
        await withTaskCancellationHandler {
            for await _ in stream {}
        } onCancel: {
            input.finish()
        }
    }
}

/// A sequence that has no end, and does not heed that its task is cancelled.
private struct Endless: AsyncSequence, Sendable {
    /// Completes when the last iterator is released.
    let gone: ReplaySubject<Void, Never>

    final class Iteration: Sendable {
        let gone: ReplaySubject<Void, Never>

        init(_ gone: ReplaySubject<Void, Never>) {
            self.gone = gone
        }

        deinit {
            self.gone.complete()
        }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let iteration: Iteration

        mutating func next() async -> Int? { await self.next(isolation: nil) }

        mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
            await Task.yield()
            return 1
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(iteration: Iteration(self.gone)) }
}
