import RacProtocol

/// Hands what comes of a command, or of an execution, to the one task that takes it.
///
/// All state is used on the connection's event loop.
final class CommandFeed<Queue: EventQueue> {
    private var mailbox: Mailbox<Queue>

    init(_ queue: Queue) {
        self.mailbox = Mailbox(queue)
    }

    /// Puts something into the queue.
    private func put<Result>(_ change: (inout Queue) -> Result) -> Result {
        defer { self.mailbox.wake() }
        return change(&self.mailbox.queue)
    }

    /// Nothing more comes, by the program's wish or for a reason.
    func finish(_ error: ClientError?) {
        self.mailbox.finish(error.map { .failure($0) } ?? .success(nil))
    }

    func lost(_ error: ClientError) {
        self.finish(error)
    }

    /// Resumes with the next event as soon as there is one.
    func take(_ continuation: CheckedContinuation<Mailbox<Queue>.Taken, Never>) {
        self.mailbox.resume(continuation)
    }

    func cancelTaking() {
        self.mailbox.cancelWaiting()
    }
}

@available(*, unavailable)
extension CommandFeed: Sendable {}

extension CommandFeed: CommandHost where Queue == HostingQueue {
    func execute(_ execution: ExecutionID, _ input: JSONText?) -> Bool {
        self.put { $0.execute(execution, input) }
    }

    func cancel(_ execution: ExecutionID) {
        self.put { $0.cancel(execution) }
    }

    func unhosted(_ error: ClientError) {
        self.finish(error)
    }
}

extension CommandFeed: CommandStateListener where Queue == ObservationQueue {
    func changed(to state: CommandState) {
        self.put { $0.changed(to: state) }
    }

    func failed(_ execution: ExecutionID, _ error: WireError) {
        self.put { $0.failed(execution, error) }
    }
}

extension CommandFeed: CommandCaller where Queue == CallQueue {
    func progressed(_ event: ExecutionEvent) -> Bool {
        let hasRoom = self.put { $0.append(event) }
        guard hasRoom, case .next = event else {
            self.finish(nil)
            return hasRoom
        }
        return true
    }
}
