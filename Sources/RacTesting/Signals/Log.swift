internal import Rac

/// Notes from any thread, in order.
package final class Log<Entry: Sendable>: Sendable {
    private let state = Guarded<[Entry]>([])

    /// Makes an empty log.
    package init() {}

    /// The notes so far.
    package var entries: [Entry] { self.state.withLock { $0 } }

    /// Notes `entry`.
    package func append(_ entry: Entry) {
        self.state.withLock { $0.append(entry) }
    }
}
