import RacProtocol
import Synchronization

/// How many connections there are, over all loops.
final class Admission: Sendable {
    private let limit: Int
    private let count = Atomic(0)

    init(limit: Int) {
        self.limit = limit
    }

    /// Lets one more in, unless there are too many.
    func enter() -> WireError? {
        guard self.count.add(1, ordering: .relaxed).newValue > self.limit else { return nil }
        self.leave()
        return WireError(.limit, "the daemon has \(self.limit) connections already")
    }

    /// One that was let in has gone.
    func leave() {
        self.count.subtract(1, ordering: .relaxed)
    }
}
