import HeapModule

/// The events by the times at which they are due; events of one time come in the order in which they were added.
struct Schedule {
    private struct Entry: Comparable {
        let due: Microseconds
        let place: UInt64
        let event: Occurrence

        static func < (left: Entry, right: Entry) -> Bool {
            left.due == right.due ? left.place < right.place : left.due < right.due
        }

        static func == (left: Entry, right: Entry) -> Bool { left.place == right.place }
    }

    private var heap = Heap<Entry>()
    private var count: UInt64 = 0

    mutating func add(_ event: Occurrence, at due: Microseconds) {
        self.count += 1
        self.heap.insert(Entry(due: due, place: self.count, event: event))
    }

    mutating func next() -> (due: Microseconds, event: Occurrence)? {
        self.heap.popMin().map { ($0.due, $0.event) }
    }
}
