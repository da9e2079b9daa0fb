/// Events that wait for a program to take them.
package protocol EventQueue: Sendable {
    associatedtype Event: Sendable

    mutating func next() -> Event?
}

/// Hands the events of a queue to the one task that takes them.
///
/// The owner guards it: it is used on one event loop.
package struct Mailbox<Queue: EventQueue> {
    package typealias Taken = Result<Queue.Event?, ClientError>

    package var queue: Queue
    private var waiting: CheckedContinuation<Taken, Never>?
    /// The end behind the last event; nil while more may come.
    private var end: Taken?

    package init(_ queue: Queue) {
        self.queue = queue
    }

    /// Something was put into the queue.
    package mutating func wake() {
        guard let waiting = self.waiting, let taken = self.take() else { return }
        self.waiting = nil
        waiting.resume(returning: taken)
    }

    /// Nothing more will be put into the queue; what is in it is still taken.
    package mutating func finish(_ end: Taken) {
        self.end = self.end ?? end
        self.wake()
    }

    /// Resumes with the next event as soon as there is one.
    package mutating func resume(_ continuation: CheckedContinuation<Taken, Never>) {
        precondition(self.waiting == nil, "one task at a time takes the events of a binding or a watch")
        self.waiting = continuation
        self.wake()
    }

    /// The task that waits does not want to any more.
    package mutating func cancelWaiting() {
        self.waiting?.resume(returning: .success(nil))
        self.waiting = nil
    }

    private mutating func take() -> Taken? {
        self.queue.next().map { .success($0) } ?? self.end
    }
}
