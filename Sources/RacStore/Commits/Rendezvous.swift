import RacProtocol

/// Whether a commit waits a moment for those whom the last one has answered.
///
/// Clients that write one value after the other fall into two halves otherwise: while the changes of one half are on their
/// way to the disk, those of the other gather, and everybody waits for two commits. Those who have been answered are
/// expected back; if they do not come, as clients that write now and then, fewer and fewer commits wait for them.
///
/// Semantics: protocol.md, "Durability".
package struct Rendezvous: Sendable {
    /// A commit that takes less is not worth a timer.
    package static let shortestCommit = Duration.microseconds(500)
    /// Which part of the last commit's time the next one waits.
    package static let share = 4
    /// The longest wait.
    package static let longestWait = Duration.milliseconds(5)

    /// How many changes the next commit is expected to have.
    private var expected = 0
    private var wait = Duration.zero
    private var backoff = Backoff()

    package init() {}

    /// So many changes are on the disk, which took so long; so many more wait already.
    package mutating func committed(_ count: Int, after time: Duration, waiting: Int) {
        self.expected = time >= Self.shortestCommit && self.backoff.isDue ? count + waiting : 0
        self.backoff.leftOut()
        self.wait = min(time / Self.share, Self.longestWait)
    }

    /// How long so many changes are to wait for others; nil if those are here.
    package func wait(with count: Int) -> Duration? {
        count < self.expected ? self.wait : nil
    }

    /// A commit begins with so many changes.
    package mutating func began(with count: Int) {
        guard self.expected > 0 else { return }
        self.backoff.tried(inVain: 2 * count <= self.expected)
        self.expected = 0
    }
}
