/// A first-in first-out line over one array, for what waits its turn or is kept for replay.
///
/// Adding and taking cost amortised constant time, and no allocation once the array is large enough.
@usableFromInline
struct Fifo<Element> {
    /// As many as a power of two, so that a mask wraps an index around.
    @usableFromInline var slots: [Element?] = []
    @usableFromInline var head = 0
    @usableFromInline var count = 0

    @inlinable
    init() {}

    @inlinable
    var isEmpty: Bool { self.count == 0 }

    /// Adds `element` at the end.
    @inlinable
    mutating func append(_ element: Element) {
        if self.count == self.slots.count { self.grow() }
        self.slots[(self.head + self.count) & (self.slots.count - 1)] = element
        self.count += 1
    }

    /// Takes the element at the front, if there is one.
    @inlinable
    mutating func popFirst() -> Element? {
        guard self.count > 0 else { return nil }
        // Exchanged, not copied: what it holds on to is not counted up and down.
        var first: Element?
        swap(&first, &self.slots[self.head])
        self.head = (self.head + 1) & (self.slots.count - 1)
        self.count -= 1
        return first
    }

    /// The element at the front, if there is one.
    @inlinable
    var first: Element? {
        self.count > 0 ? self.slots[self.head] : nil
    }

    /// What is in line, from the front on.
    @inlinable
    var elements: [Element] {
        (0..<self.count).compactMap { self.slots[(self.head + $0) & (self.slots.count - 1)] }
    }

    @inlinable
    @inline(never)
    mutating func grow() {
        var larger: [Element?] = []
        larger.reserveCapacity(max(4, 2 * self.count))
        for index in 0..<self.count {
            larger.append(self.slots[(self.head + index) & (self.slots.count - 1)])
        }
        while larger.count < max(4, 2 * self.count) { larger.append(nil) }
        self.slots = larger
        self.head = 0
    }
}

extension Fifo: Sendable where Element: Sendable {}
