package import RacAccess

/// Decides when a client with a bounded rate is read, and when reading rests.
///
/// Each message is taken if there is something of both rates left. So a message of any length is taken sooner or later, and
/// the client rests behind it for as long as it should have taken. The bytes of a message that has not come to its end count
/// as they come.
///
/// Times are milliseconds of a clock that never goes back.
///
/// Semantics: protocol.md, "Bounds of roles".
package struct ReadingPace: Sendable {
    private var messages: TokenBucket?
    private var bytes: TokenBucket?
    /// The bytes that have come and do not count yet.
    private var uncounted = 0

    package init(_ rate: ReadRate, at now: UInt64) {
        self.messages = rate.messagesPerSecond.map { TokenBucket(rate: $0, at: now) }
        self.bytes = rate.bytesPerSecond.map { TokenBucket(rate: $0, at: now) }
    }

    /// The time at which the next message may be taken; nil if it may be now.
    package mutating func rests(at now: UInt64) -> UInt64? {
        switch (self.messages?.opens(after: now), self.bytes?.opens(after: now)) {
        case (let one?, let other?): max(one, other)
        case (let one, let other): one ?? other
        }
    }

    /// The time at which both rates have their full allowance again; the present one if they have it.
    func isFull(after now: UInt64) -> UInt64 {
        max(now, self.messages?.fullAt ?? now, self.bytes?.fullAt ?? now)
    }

    /// Bytes have come.
    package mutating func received(_ count: Int) {
        self.uncounted += count
    }

    /// A message was taken, behind which this number of bytes is left.
    package mutating func tookMessage(left: Int) {
        self.messages?.take(1)
        self.count(self.uncounted - left)
    }

    /// A long message was taken, whose bytes have counted.
    package mutating func tookLongMessage() {
        self.messages?.take(1)
    }

    /// No whole message is left but long ones; this number of bytes counts later.
    package mutating func tookAll(but left: Int = 0) {
        self.count(self.uncounted - left)
    }

    private mutating func count(_ count: Int) {
        guard count > 0 else { return }
        self.uncounted -= count
        self.bytes?.take(count)
    }
}
