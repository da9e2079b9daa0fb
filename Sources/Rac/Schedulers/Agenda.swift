/// The agenda of a virtual clock: a binary heap, by due time and then by order of scheduling (scheduler-7).
struct Agenda: Sendable {
    struct Entry: Sendable {
        let due: Duration
        let number: Int
        let work: @Sendable () -> Void

        func isBefore(_ other: Entry) -> Bool {
            (self.due, self.number) < (other.due, other.number)
        }
    }

    private var heap: [Entry] = []
    private var lastNumber = 0

    /// The number of entries that have neither run nor been cancelled.
    var count: Int { self.heap.count }

    /// Enters work and returns the number that cancels it.
    mutating func enter(_ work: @escaping @Sendable () -> Void, due: Duration) -> Int {
        self.lastNumber += 1
        self.heap.append(Entry(due: due, number: self.lastNumber, work: work))
        self.rise(from: self.heap.count - 1)
        return self.lastNumber
    }

    /// Takes out work that has not been taken, and returns it, to be released elsewhere.
    mutating func cancel(_ number: Int) -> Entry? {
        guard let index = self.heap.firstIndex(where: { $0.number == number }) else { return nil }
        return self.removeEntry(at: index)
    }

    /// Takes the first entry that is due at `limit` or earlier; any entry without a limit.
    mutating func popFirst(until limit: Duration?) -> Entry? {
        guard let first = self.heap.first else { return nil }
        if let limit, first.due > limit { return nil }
        return self.removeEntry(at: 0)
    }

    private mutating func removeEntry(at index: Int) -> Entry {
        self.heap.swapAt(index, self.heap.count - 1)
        let entry = self.heap.removeLast()
        if index < self.heap.count {
            self.sink(from: index)
            self.rise(from: index)
        }
        return entry
    }

    private mutating func rise(from start: Int) {
        var index = start
        while index > 0, self.heap[index].isBefore(self.heap[(index - 1) / 2]) {
            self.heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func sink(from start: Int) {
        var index = start
        while true {
            let children = [2 * index + 1, 2 * index + 2].filter { $0 < self.heap.count }
            guard let least = children.min(by: { self.heap[$0].isBefore(self.heap[$1]) }) else { return }
            guard self.heap[least].isBefore(self.heap[index]) else { return }
            self.heap.swapAt(index, least)
            index = least
        }
    }
}
