import RacProtocol

/// Whether an event loop that has nothing to do looks for more instead of going to sleep.
///
/// To wake a sleeping thread takes longer than what there is to do for a message. So when something came soon after the loop
/// was done with the last thing, it waits awake for what comes next; if nothing comes in time, it sleeps, and does not wait
/// awake again before something has come that soon.
///
/// A commit that clients wait for is worth a longer wait, since it is sure to come. Where the disk is too slow for that, or
/// others want the core, waiting awake is in vain, and most commits are waited for asleep.
///
/// Times are nanoseconds of a clock that never goes back.
///
/// Semantics: docs/performance.md, "Waiting awake".
struct BusyPollStateMachine: Sendable {
    /// The longest wait: the time in which a client that was just written to, and sleeps, is awake and has answered.
    static let longestWait: UInt64 = 100_000
    /// The longest wait for a commit: beside one that takes more it does not matter how a thread wakes.
    static let longestWaitForCommit: UInt64 = 1_000_000
    /// The store's thread needs the core for less; who keeps the loop from looking for longer is somebody else.
    static let longestPause: UInt64 = 500_000

    private(set) var isPolling = false
    private var isInTick = false
    private var began: UInt64 = 0
    private var lastLook: UInt64 = 0
    /// Until when something comes soon.
    private var soon = longestWait
    /// The newest commit that clients wait for, and until when to wait awake for it.
    private var commit: UInt64?
    private var commitSoon: UInt64 = 0
    private var backoff = Backoff()

    /// Whether what is waited for is a commit.
    var isForCommit: Bool { self.commit != nil }

    /// Something came.
    mutating func tickBegan(at now: UInt64) {
        self.isInTick = true
        self.began = now
    }

    /// All that was at hand is done, and this is the ticket of the newest commit that clients wait for, nil if there is none;
    /// tells whether to begin to poll.
    mutating func tickEnded(at now: UInt64, commit: UInt64?) -> Bool {
        let cameSoon = self.began < self.soon
        if commit != self.commit { self.waits(for: commit, at: now) }
        self.isInTick = false
        self.lastLook = now
        self.soon = max(now + Self.longestWait, self.isForCommit ? self.commitSoon : 0)
        guard cameSoon, self.mayWait, !self.isPolling else { return false }
        self.isPolling = true
        return true
    }

    /// The loop has looked at its sockets while it polled; tells whether to go on with that.
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
