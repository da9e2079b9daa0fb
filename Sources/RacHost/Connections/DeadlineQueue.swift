import HeapModule

/// Subscribers that wait for a deadline, the earliest first.
struct DeadlineQueue {
    private struct Deadline: Comparable {
        let due: UInt64
        let subscriber: Subscriber

        static func < (left: Deadline, right: Deadline) -> Bool { left.due < right.due }
        static func == (left: Deadline, right: Deadline) -> Bool { left.due == right.due }
    }

    private var heap = Heap<Deadline>()

    /// The number of queued subscribers that are over.
    private var overCount = 0

    /// The number of queued subscribers.
    var count: Int { self.heap.count }

    /// The earliest deadline.
    var next: UInt64? { self.heap.min?.due }

    mutating func insert(_ subscriber: Subscriber, due: UInt64) {
        self.heap.insert(Deadline(due: due, subscriber: subscriber))
    }

    /// The next subscriber whose deadline has come.
    mutating func popDue(at time: Time) -> Subscriber? {
        while let deadline = self.heap.min, deadline.due <= time.uptime {
            self.heap.removeMin()
            guard deadline.subscriber.isOver else { return deadline.subscriber }
            self.overCount -= 1
        }
        return nil
    }

    /// A subscriber in the queue is over.
    ///
    /// Such subscribers are swept from time to time: with long intervals they could fill the memory.
    mutating func noteOver() {
        self.overCount += 1
        guard self.overCount > 64, self.overCount > self.heap.count / 2 else { return }
        self.heap = Heap(self.heap.unordered.filter { !$0.subscriber.isOver })
        self.overCount = 0
    }
}
