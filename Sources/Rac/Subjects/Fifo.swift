/// A first-in first-out queue over one array, for waiting or stored items.
///
/// Adding and taking take amortised constant time, and no allocation once the array is large enough.
@usableFromInline
struct Fifo<Element> {
    /// The capacity is a power of two, so that a mask wraps an index around.
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

    /// Takes the element at the front, if any.
    @inlinable
    mutating func popFirst() -> Element? {
        guard self.count > 0 else { return nil }
        // Exchanged, not copied: this saves counting its references up and down.
        var first: Element?
        swap(&first, &self.slots[self.head])
        self.head = (self.head + 1) & (self.slots.count - 1)
        self.count -= 1
        return first
    }

    /// The element at the front, if any.
    @inlinable
    var first: Element? {
        self.count > 0 ? self.slots[self.head] : nil
    }

    /// The elements in order, from the front.
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
