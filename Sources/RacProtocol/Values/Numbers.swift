/// The number of one change of the daemon; greater numbers are later changes, over restarts and crashes too.
///
/// Semantics: protocol.md, "Revisions".
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The revision of a channel that never had a value.
    public static let none = Revision(0)

    /// The number on the wire.
    public let number: UInt64

    /// Wraps a number from the wire.
    ///
    /// - Parameter number: The number.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Whether the left change is the earlier one.
    public static func < (left: Revision, right: Revision) -> Bool {
        left.number < right.number
    }

    /// The number in decimal.
    public var description: String { String(self.number) }
}

/// The number of a terminal, the same for every client while the daemon runs.
public struct TerminalID: Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    /// The number in decimal.
    public var description: String { String(self.number) }
}

/// The number of a channel, which is the key of its row on disk too; another channel does not get it while the daemon runs.
package struct ChannelNumber: Hashable, Comparable, Sendable {
    /// Far from where the numbers of the terminals, which are twice as great, are no exact integers to every JSON reader.
    package static let greatest = ChannelNumber(1 << 51)

    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package var next: ChannelNumber { ChannelNumber(self.number + 1) }

    package static func < (left: ChannelNumber, right: ChannelNumber) -> Bool {
        left.number < right.number
    }
}

/// A terminal's sends on a session, counted from 1.
package struct SendNumber: Hashable, Comparable, Sendable {
    package static let none = SendNumber(0)

    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    package var next: SendNumber { SendNumber(self.number + 1) }

    package static func < (left: SendNumber, right: SendNumber) -> Bool {
        left.number < right.number
    }
}

/// What a client calls one of its requests, so that it knows the answer.
package struct RequestID: Hashable, Sendable {
    package let number: Int64

    package init(_ number: Int64) {
        self.number = number
    }
}

/// The number of a watched pattern, the same for every client while the daemon runs.
package struct WatchID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// The number of a command, the same for every client while the daemon runs and knows the command.
package struct CommandID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// The number of one run of a command, the same for its caller and its host.
package struct ExecutionID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
