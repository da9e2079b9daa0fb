internal import Synchronization

/// A count that any thread may raise.
package final class Counter: Sendable {
    private let value = Atomic(0)

    /// Makes a counter at zero.
    package init() {}

    /// The present count.
    package var count: Int { self.value.load(ordering: .acquiring) }

    /// Raises the count by one and returns it.
    @discardableResult
    package func increment() -> Int {
        self.value.add(1, ordering: .acquiringAndReleasing).newValue
    }

    /// Lowers the count by one and returns it.
    @discardableResult
    package func decrement() -> Int {
        self.value.subtract(1, ordering: .acquiringAndReleasing).newValue
    }
}
