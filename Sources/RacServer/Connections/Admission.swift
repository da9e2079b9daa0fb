import RacProtocol
import Synchronization

/// Counts the connections of all loops together.
final class Admission: Sendable {
    private let allowed: Atomic<Int>
    private let count = Atomic(0)

    init(limit: Int) {
        self.allowed = Atomic(limit)
    }

    /// The limit, which may change; connections above a lower one stay.
    var limit: Int {
        get { self.allowed.load(ordering: .relaxed) }
        set { self.allowed.store(newValue, ordering: .relaxed) }
    }

    /// Lets one more connection in, or returns why there are too many.
    func enter() -> WireError? {
        let limit = self.limit
        guard self.count.add(1, ordering: .relaxed).newValue > limit else { return nil }
        self.leave()
        return WireError(.limit, "the daemon takes no more connections: its limit is \(limit)")
    }

    /// A connection that was let in has closed.
    func leave() {
        self.count.subtract(1, ordering: .relaxed)
    }
}
