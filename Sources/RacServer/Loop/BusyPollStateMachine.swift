/// Whether an event loop that has nothing to do looks for more instead of going to sleep.
///
/// To wake a sleeping thread takes longer than what there is to do for a message. So when something came soon after the loop
/// was done with the last thing, it waits awake for as long as that took at most; if nothing comes, it sleeps, and does not
/// wait awake again before something has come that soon.
///
/// Times are nanoseconds of a clock that never goes back.
///
/// Semantics: docs/performance.md, "Waiting awake".
struct BusyPollStateMachine: Sendable {
    /// The longest wait: the time in which a client that was just written to, and sleeps, is awake and has answered.
    static let longestWait: UInt64 = 100_000

    private(set) var isPolling = false
    private var lastEnd: UInt64 = 0
    private var isInTick = false
    private var cameSoon = false

    /// Something came.
    mutating func tickBegan(at now: UInt64) {
        self.isInTick = true
        self.cameSoon = now < self.lastEnd + Self.longestWait
    }

    /// All that was at hand is done; tells whether to begin to poll.
    mutating func tickEnded(at now: UInt64) -> Bool {
        self.isInTick = false
        self.lastEnd = now
        guard self.cameSoon, !self.isPolling else { return false }
        self.isPolling = true
        return true
    }

    /// The loop has looked at its sockets while it polled; tells whether to go on with that.
    mutating func polled(at now: UInt64) -> Bool {
        self.isPolling = self.isInTick || now < self.lastEnd + Self.longestWait
        return self.isPolling
    }
}
