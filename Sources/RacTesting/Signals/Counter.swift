internal import Synchronization

/// A count that may be raised on any thread.
package final class Counter: Sendable {
    private let value = Atomic(0)

    /// Makes a counter that shows zero.
    package init() {}

    /// What it shows now.
    package var count: Int { self.value.load(ordering: .acquiring) }

    /// Raises the count by one and answers the new one.
    @discardableResult
    package func increment() -> Int {
        self.value.add(1, ordering: .acquiringAndReleasing).newValue
    }

    /// Lowers the count by one and answers the new one.
    @discardableResult
    package func decrement() -> Int {
        self.value.subtract(1, ordering: .acquiringAndReleasing).newValue
    }
}
