import RacProtocol

/// Decides whether an idle event loop spins or sleeps.
///
/// Waking a sleeping thread takes longer than handling a message. So the loop spins if the last event came soon after it
/// had become idle. If no event comes in time, the loop sleeps, and spins again only after an event that soon. New connections
/// and handshakes are no such events.
///
/// A commit that clients wait for is sure to come, so the loop spins longer for it. Where the disk is too slow, or other
/// threads want the core, spinning is in vain: then the loop sleeps through most commits.
///
/// Times are nanoseconds of a clock that never goes back.
///
/// Semantics: docs/performance.md, "Waiting awake".
struct BusyPollStateMachine: Sendable {
    /// The longest spin: in this time a sleeping client that was just written to wakes and answers.
    static let longestWait: UInt64 = 100_000
    /// The longest spin for a commit: the time of a wake-up does not matter beside a commit that takes longer.
    static let longestWaitForCommit: UInt64 = 1_000_000
    /// The store's thread needs the core for less time; a longer gap between two looks means that another program has it.
    static let longestPause: UInt64 = 500_000

    private(set) var isPolling = false
    private var isInTick = false
    private var began: UInt64 = 0
    private var lastLook: UInt64 = 0
    /// The time before which the next event counts as soon.
    private var soon = longestWait
    /// The newest commit that clients wait for, and the time until which the loop spins for it.
    private var commit: UInt64?
    private var commitSoon: UInt64 = 0
    private var backoff = Backoff()

    /// Whether the loop spins for a commit.
    var isForCommit: Bool { self.commit != nil }

    /// An event came.
    mutating func tickBegan(at now: UInt64) {
        self.isInTick = true
        self.began = now
    }

    /// The loop has handled everything that was at hand.
    ///
    /// - Parameters:
    ///   - now: The present time.
    ///   - commit: The ticket of the newest commit that clients wait for; nil if there is none.
    ///   - hasTraffic: Whether a welcomed client took part. The handshake of another one takes longer than a wake-up.
    /// - Returns: Whether the loop begins to spin.
    mutating func tickEnded(at now: UInt64, commit: UInt64?, hasTraffic: Bool) -> Bool {
        let cameSoon = self.began < self.soon
        if commit != self.commit { self.waits(for: commit, at: now) }
        self.isInTick = false
        self.lastLook = now
        guard hasTraffic || self.isForCommit else { return false }
        self.soon = max(now + Self.longestWait, self.isForCommit ? self.commitSoon : 0)
        guard cameSoon, self.mayWait, !self.isPolling else { return false }
        self.isPolling = true
        return true
    }

    /// The loop has looked at its sockets while it spins; returns whether it goes on spinning.
    mutating func polled(at now: UInt64) -> Bool {
        if self.isForCommit, !self.isInTick, now > self.lastLook + Self.longestPause { self.backoff.harmed() }
        self.lastLook = now
        self.isPolling = self.isInTick || now < self.soon && self.mayWait
        return self.isPolling
    }

    private var mayWait: Bool { self.backoff.isDue || !self.isForCommit }

    private mutating func waits(for commit: UInt64?, at now: UInt64) {
        if self.isForCommit {
            if self.backoff.isDue {
                self.backoff.tried(inVain: self.began >= self.commitSoon)
            } else {
                self.backoff.leftOut()
            }
        }
        self.commit = commit
        self.commitSoon = now + Self.longestWaitForCommit
    }
}
