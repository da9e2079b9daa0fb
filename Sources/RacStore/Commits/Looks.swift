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
    /// How many commits at most are not followed by a look, behind one that was in vain.
    package static let mostSkipped = 63

    private var skipped = 0
    private var toSkip = 0

    package init() {}

    /// A commit that clients waited for took so long, and nothing waits; tells whether to look.
    package mutating func begins(after time: Duration) -> Bool {
        guard time <= Self.longestCommit else { return false }
        guard self.toSkip == 0 else {
            self.toSkip -= 1
            return false
        }
        return true
    }

    /// A look is over, of which nothing was seen for so long at a time.
    package mutating func ended(found: Bool, longestPause: Duration) {
        if longestPause > Self.longestPause {
            self.skipped = Self.mostSkipped
        } else {
            self.skipped = found ? 0 : min(2 * self.skipped + 1, Self.mostSkipped)
        }
        self.toSkip = self.skipped
    }
}
