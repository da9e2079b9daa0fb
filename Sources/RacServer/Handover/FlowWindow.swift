/// The bytes by which a sender may be ahead of its receiver.
///
/// A message that begins while the window is open may be longer than the room in it: a message is never cut.
package struct FlowWindow: Sendable {
    /// While the host has not taken this many bytes of a client's frames, no more are read.
    package static let aheadBytes = 64 << 10

    let limit: Int
    private var ahead = 0

    package init(limit: Int) {
        self.limit = limit
    }

    package var isOpen: Bool { self.room > 0 }

    /// The bytes that may be sent; the end of a message may be beyond.
    var room: Int { max(0, self.limit - self.ahead) }

    package mutating func sent(_ bytes: Int) {
        self.ahead += bytes
    }

    package mutating func taken(_ bytes: Int) {
        self.ahead -= bytes
    }
}

/// Bytes taken but not yet credited to the sender; credits are batched.
///
/// A rest below the threshold is never credited, so the threshold must be below the sender's window.
package struct FlowReceipt: Sendable {
    /// The host is credited this many written bytes at a time, or more.
    package static let writtenBytes = 64 << 10

    let threshold: Int
    private var untold = 0

    package init(threshold: Int) {
        self.threshold = threshold
    }

    /// Bytes were taken; returns the bytes to credit to the sender now, if any.
    package mutating func took(_ bytes: Int) -> Int? {
        self.untold += bytes
        guard self.untold >= self.threshold else { return nil }
        defer { self.untold = 0 }
        return self.untold
    }
}
