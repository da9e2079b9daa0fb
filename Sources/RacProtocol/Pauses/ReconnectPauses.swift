/// The longest pauses before the next attempts to connect.
///
/// A pause is no longer than the daemon has been away, so a client is back after twice that time. Only connections in a row
/// that do not stay make it longer.
///
/// Semantics: protocol.md, "What a client does", 1.
package struct ReconnectPauses: Sendable {
    /// The time after which the loss of a connection counts as a new one.
    package static let stay = Duration.seconds(5)

    private var bound: GrowingPause<Duration>
    /// The bound behind a connection that did not stay, which doubles with each of them in a row.
    private var least: GrowingPause<Duration>

    package init(shortest: Duration = .milliseconds(100), longest: Duration) {
        self.bound = GrowingPause(from: shortest, upTo: longest)
        self.least = self.bound
    }

    /// A connection is lost that has lasted for a time.
    package mutating func lost(after time: Duration) {
        if time >= Self.stay { self.least.reset() } else { _ = self.least.grow() }
        self.bound = self.least
    }

    /// Begins the next pause.
    ///
    /// - Parameter time: For how long there has been no connection.
    /// - Returns: The longest that the pause may be.
    package mutating func next(away time: Duration) -> Duration {
        min(self.bound.grow(), max(self.least.next, time))
    }
}
