import RacProtocol
import Synchronization

/// Counts the connections of all loops together.
final class Admission: Sendable {
    private let limit: Int
    private let count = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Lets one more connection in, or returns why there are too many.
    func enter() -> WireError? {
        guard self.count.add(1, ordering: .relaxed).newValue > self.limit else { return nil }
        self.leave()
        return WireError(.limit, "the daemon takes no more connections: its limit is \(self.limit)")
    }

    /// A connection that was let in has closed.
    func leave() {
        self.count.subtract(1, ordering: .relaxed)
    }
}
