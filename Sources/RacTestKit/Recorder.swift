public import Rac

/// An observer that notes each event, in order, and waits for more.
///
///     let recorder = Recorder(volume)
///     #expect(try await recorder.values(count: 2) == [1, 2])
///
/// Isolation: any thread.
public final class Recorder<Value: Sendable, Failure: Error>: Sendable {
    private struct State {
        var events: [Event<Value, Failure>] = []
        var waiting: [Int: AsyncStream<Void>.Continuation] = [:]
        var lastTicket = 0
    }

    /// Guards: a lock guards the state, for a few lines at a time.
    private final class Notes: Sendable {
        let state = Guarded(State())
    }

    private let notes = Notes()
    private let subscription: Subscription

    /// Observes a signal, a property or a terminal.
    ///
    /// - Parameter source: The events that it sends before this returns count, too.
    public init(_ source: some SignalSource<Value, Failure>) {
        let notes = self.notes
        self.subscription = source.observe { event in
            let waiting = notes.state.withLock { state in
                state.events.append(event)
                return Array(state.waiting.values)
            }
            for continuation in waiting { continuation.yield() }
        }
    }

    deinit {
        self.subscription.dispose()
    }

    /// The events so far.
    public var events: [Event<Value, Failure>] { self.notes.state.withLock { $0.events } }

    /// The values among ``events``.
    public var values: [Value] { self.events.compactMap(\.value) }

    /// The end; nil before it.
    public var ending: Ending<Failure>? {
        switch self.events.last {
        case .completed: .completed
        case .failed(let failure): .failed(failure)
        case .value, nil: nil
        }
    }

    /// Waits for a number of values, those before included.
    ///
    /// - Parameters:
    ///   - count: The least number of values.
    ///   - timeout: The longest wait.
    /// - Returns: All values by then.
    /// - Throws: As ``wait(timeout:until:)``.
    public func values(count: Int, timeout: Duration = .seconds(10)) async throws -> [Value] {
        try await self.wait(timeout: timeout) { $0.values.count >= count }
        return self.values
    }

    /// Waits for the end.
    ///
    /// - Parameter timeout: The longest wait.
    /// - Returns: How it ended.
    /// - Throws: As ``wait(timeout:until:)``.
    public func end(timeout: Duration = .seconds(10)) async throws -> Ending<Failure> {
        try await self.wait(timeout: timeout) { $0.ending != nil }
        guard let ending = self.ending else { throw RecorderTimeout(heard: "\(self.events)") }
        return ending
    }

    /// Waits until the events are as wanted, on the actor of the caller.
    ///
    /// - Parameters:
    ///   - timeout: The longest wait.
    ///   - isEnough: Asked now and after each event.
    /// - Throws: ``RecorderTimeout``, or `CancellationError` in a task that is cancelled.
    public nonisolated(nonsending) func wait(
        timeout: Duration = .seconds(10),
        until isEnough: (Recorder<Value, Failure>) -> Bool
    ) async throws {
        let (stream, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let ticket = self.notes.state.withLock { state in
            state.lastTicket += 1
            state.waiting[state.lastTicket] = continuation
            return state.lastTicket
        }
        let alarm = Task {
            try await Task.sleep(for: timeout)
            continuation.finish()
        }
        defer {
            alarm.cancel()
            self.notes.state.withLock { $0.waiting[ticket] = nil }
        }
        continuation.yield()
        for await _ in stream where isEnough(self) { return }
        try Task.checkCancellation()
        throw RecorderTimeout(heard: "\(self.events)")
    }
}

/// A recorder waited in vain.
public struct RecorderTimeout: Error, CustomStringConvertible {
    /// The events until then.
    public let heard: String

    /// The events until then, in a sentence.
    public var description: String {
        "the events that were waited for did not come; until now there were \(self.heard)"
    }
}
