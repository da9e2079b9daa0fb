/// Tasks that wait for the same thing.
///
/// The owner guards it: it is used on one event loop.
struct WaitingLine {
    typealias Continuation = CheckedContinuation<Result<Void, ClientError>, Never>

    private var waiting: [(ticket: Ticket, continuation: Continuation)] = []

    mutating func join(_ ticket: Ticket, _ continuation: Continuation) {
        self.waiting.append((ticket, continuation))
    }

    /// Lets everybody go, in the order of coming.
    mutating func release(_ result: Result<Void, ClientError> = .success(())) {
        let released = self.waiting
        self.waiting = []
        for (_, continuation) in released { continuation.resume(returning: result) }
    }

    /// Lets one go whose task was cancelled.
    mutating func cancel(_ ticket: Ticket) {
        guard let index = self.waiting.firstIndex(where: { $0.ticket == ticket }) else { return }
        self.waiting.remove(at: index).continuation.resume(returning: .failure(.cancelledWait))
    }
}

/// Names one wait, so that it can be cancelled.
struct Ticket: Hashable, Sendable {
    let number: UInt64
}

extension ClientError {
    package static let cancelledWait = ClientError(.cancelled, "the waiting task was cancelled")
}
