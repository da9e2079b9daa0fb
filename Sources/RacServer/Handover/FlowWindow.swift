/// How far a sender may be ahead of who takes from it, in bytes.
///
/// What is sent while the window is open may be longer than the rest of it: one message is never cut.
package struct FlowWindow: Sendable {
    /// While the host has not taken this many bytes of a client's frames, no more are read.
    package static let aheadBytes = 64 << 10

    let limit: Int
    private var ahead = 0

    package init(limit: Int) {
        self.limit = limit
    }

    package var isOpen: Bool { self.room > 0 }

    /// How much may be sent, but for the end of a message.
    var room: Int { max(0, self.limit - self.ahead) }

    package mutating func sent(_ bytes: Int) {
        self.ahead += bytes
    }

    package mutating func taken(_ bytes: Int) {
        self.ahead -= bytes
    }
}

/// What was taken and the sender has not been told of: it is told of much at a time.
///
/// Less than the threshold is never told, so that must be less than the sender's window.
package struct FlowReceipt: Sendable {
    /// The host is told of this many written bytes at a time, or more.
    package static let writtenBytes = 64 << 10

    let threshold: Int
    private var untold = 0

    package init(threshold: Int) {
        self.threshold = threshold
    }

    /// Tells how much the sender is to be told of now.
    package mutating func took(_ bytes: Int) -> Int? {
        self.untold += bytes
        guard self.untold >= self.threshold else { return nil }
        defer { self.untold = 0 }
        return self.untold
    }
}
