import Synchronization

/// The result of work on another thread; a cancelled task does not wait for it.
final class AwaitedResult<Made: Sendable>: Sendable {
    private enum State {
        case open
        case waiting(CheckedContinuation<Made?, Never>)
        case over(Made?)
    }

    private let state = Mutex(State.open)

    /// The result; nil if the task is cancelled first.
    func value() async -> Made? {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let result: Made?? = self.state.withLock { state in
                    if case .over(let result) = state { return .some(result) }
                    state = .waiting(continuation)
                    return nil
                }
                if let result { continuation.resume(returning: result) }
            }
        } onCancel: {
            self.resolve(nil)
        }
    }

    /// Gives the result; only the first one counts.
    func resolve(_ result: Made?) {
        let waiting: CheckedContinuation<Made?, Never>? = self.state.withLock { state in
            switch state {
            case .open:
                state = .over(result)
                return nil
            case .waiting(let continuation):
                state = .over(result)
                return continuation
            case .over: return nil
            }
        }
        waiting?.resume(returning: result)
    }
}
