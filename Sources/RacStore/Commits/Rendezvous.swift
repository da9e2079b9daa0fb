import RacProtocol

/// Decides whether a commit waits a moment for the clients that the last commit has answered.
///
/// Without the wait, clients that write one value after the other fall into two halves. The changes of one half gather
/// while those of the other are on their way to the disk, and every client waits for two commits. So a commit expects
/// answered clients back. Clients that write now and then do not come back, and fewer and fewer commits wait for them.
///
/// Semantics: protocol.md, "Durability".
package struct Rendezvous: Sendable {
    /// The shortest commit that is worth a timer.
    package static let shortestCommit = Duration.microseconds(500)
    /// The divisor of the last commit's time that gives the wait of the next one.
    package static let share = 4
    /// The longest wait.
    package static let longestWait = Duration.milliseconds(5)

    /// The number of changes that the next commit is expected to have; 0 if it should not wait.
    private var expected = 0
    private var wait = Duration.zero
    private var backoff = Backoff()

    package init() {}

    /// A commit of `count` changes is on the disk, and `waiting` changes are in the queue already.
    package mutating func committed(_ count: Int, after time: Duration, waiting: Int) {
        self.expected = time >= Self.shortestCommit && self.backoff.isDue ? count + waiting : 0
        self.backoff.leftOut()
        self.wait = min(time / Self.share, Self.longestWait)
    }

    /// The time for which a transaction of `count` changes waits for more; nil if all expected changes are here.
    package func wait(with count: Int) -> Duration? {
        count < self.expected ? self.wait : nil
    }

    /// A commit begins with `count` changes.
    package mutating func began(with count: Int) {
        guard self.expected > 0 else { return }
        self.backoff.tried(inVain: 2 * count <= self.expected)
        self.expected = 0
    }
}
