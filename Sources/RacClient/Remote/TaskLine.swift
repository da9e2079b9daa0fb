import Rac
import RacProtocol

/// A line of tasks, of which one goes on at a time, in the order of their coming.
///
/// Guards: a lock guards the state, for a few lines at a time. Isolation: any task.
final class TaskLine: Sendable {
    private struct Waiting: Sendable {
        let ticket: UInt64
        let continuation: CheckedContinuation<ClientError?, Never>
    }

    private struct State: Sendable {
        var isTaken = false
        var lastTicket: UInt64 = 0
        var waiting: [Waiting] = []
    }

    private let full: ClientError
    private let maximumCount = ConnectionLimits().requestsUnderWay
    private let state = Guarded(State())

    /// - Parameter full: The error of one task too many.
    init(full: ClientError) {
        self.full = full
    }

    /// Waits for the turn of this task; a call that does not throw is followed by ``leave()``.
    ///
    /// - Throws: `ClientError` with code `cancelled`, or the error of a full line.
    func enter() async throws(ClientError) {
        let isCancelled = Flag()
        let ticket = self.state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let error = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.wait(Waiting(ticket: ticket, continuation: continuation))
                if isCancelled.isSet { self.cancel(ticket) }
            }
        } onCancel: {
            isCancelled.set()
            self.cancel(ticket)
        }
        if let error { throw error }
    }

    private func wait(_ waiting: Waiting) {
        let (goes, isFull) = self.state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return (true, false)
            }
            guard state.waiting.count < self.maximumCount else { return (false, true) }
            state.waiting.append(waiting)
            return (false, false)
        }
        if goes { waiting.continuation.resume(returning: nil) }
        if isFull { waiting.continuation.resume(returning: self.full) }
    }

    /// The task with that ticket waits no more; a task whose turn has come goes on.
    private func cancel(_ ticket: UInt64) {
        let waiting: Waiting? = self.state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0) }
        }
        waiting?.continuation.resume(returning: .cancelledWait)
    }

    /// The turn of this task is over.
    func leave() {
        let next: Waiting? = self.state.withLock { state in
            state.isTaken = !state.waiting.isEmpty
            return state.isTaken ? state.waiting.removeFirst() : nil
        }
        next?.continuation.resume(returning: nil)
    }
}
