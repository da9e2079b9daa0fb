import RacProtocol

/// Decides whether the store's thread spins for the next batch after a commit, instead of going to sleep.
///
/// An answered client often writes again at once, and waking a sleeping thread takes about as long as a quick commit. If no
/// batch comes, or other threads want the core, the thread spins after fewer and fewer commits.
///
/// Semantics: docs/performance.md, "Waiting awake".
package struct Looks: Sendable {
    /// The length of a spin: the time in which a client that was just answered has written again.
    package static let time = Duration.microseconds(200)
    /// The longest commit that is worth a spin: beside a longer one the time of a wake does not matter.
    package static let longestCommit = Duration.milliseconds(1)
    /// The longest time that the event loop needs the core; a longer pause means that another program wants it.
    package static let longestPause = Duration.microseconds(500)

    private var backoff = Backoff()

    package init() {}

    /// An awaited commit has ended and the queue is empty; returns whether to spin.
    package mutating func begins(after time: Duration) -> Bool {
        guard time <= Self.longestCommit else { return false }
        guard self.backoff.isDue else {
            self.backoff.leftOut()
            return false
        }
        return true
    }

    /// A spin is over; `longestPause` is the longest time for which other threads had the core.
    package mutating func ended(found: Bool, longestPause: Duration) {
        if longestPause > Self.longestPause {
            self.backoff.harmed()
        } else {
            self.backoff.tried(inVain: !found)
        }
    }
}
