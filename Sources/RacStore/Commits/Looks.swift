import RacProtocol

/// Whether the store's thread looks for what is to be committed next instead of going to sleep.
///
/// Who has been answered often writes again at once, and to wake a sleeping thread takes about as long as a quick commit. If
/// nothing comes, or others want the core, fewer and fewer commits are followed by a look.
///
/// Semantics: docs/performance.md, "Waiting awake".
package struct Looks: Sendable {
    /// How long to look: the time in which a client that was just answered has written again.
    package static let time = Duration.microseconds(200)
    /// Beside a commit that takes more it does not matter how a thread wakes.
    package static let longestCommit = Duration.milliseconds(1)
    /// The event loop needs the core for less; who keeps the thread from looking for longer is somebody else.
    package static let longestPause = Duration.microseconds(500)

    private var backoff = Backoff()

    package init() {}

    /// A commit that clients waited for took so long, and nothing waits; tells whether to look.
    package mutating func begins(after time: Duration) -> Bool {
        guard time <= Self.longestCommit else { return false }
        guard self.backoff.isDue else {
            self.backoff.leftOut()
            return false
        }
        return true
    }

    /// A look is over, of which nothing was seen for so long at a time.
    package mutating func ended(found: Bool, longestPause: Duration) {
        if longestPause > Self.longestPause {
            self.backoff.harmed()
        } else {
            self.backoff.tried(inVain: !found)
        }
    }
}
