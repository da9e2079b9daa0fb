/// A first-in first-out line over one array, for what waits its turn or is kept for replay.
///
/// Adding and taking cost amortised constant time, and no allocation once the array is large enough.
@usableFromInline
struct Fifo<Element> {
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline private(set) var count = 0

    @usableFromInline
    init() {}

    @usableFromInline
    var isEmpty: Bool { self.count == 0 }

    /// Adds `element` at the end.
    @usableFromInline
    mutating func append(_ element: Element) {
        if self.count == self.slots.count { self.grow() }
        self.slots[(self.head + self.count) % self.slots.count] = element
        self.count += 1
    }

    /// Takes the element at the front, if there is one.
    @usableFromInline
    mutating func popFirst() -> Element? {
        guard self.count > 0 else { return nil }
        defer {
            self.slots[self.head] = nil
            self.head = (self.head + 1) % self.slots.count
            self.count -= 1
        }
        return self.slots[self.head]
    }

    /// What is in line, from the front on.
    @usableFromInline
    var elements: [Element] {
        (0..<self.count).compactMap { self.slots[(self.head + $0) % self.slots.count] }
    }

    private mutating func grow() {
        let elements = self.slots[self.head...] + self.slots[..<self.head]
        self.slots = elements + [Element?](repeating: nil, count: max(4, elements.count))
        self.head = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
