/// The number of one change of the daemon; greater numbers are later changes, across restarts and crashes.
///
/// Semantics: protocol.md, "Revisions".
public struct Revision: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The revision of a channel that never had a value: 0.
    public static let never = Revision(0)
    /// The first revision of each daemon; a link names it as the root of a value that it knows from another epoch.
    package static let first = Revision(1)

    /// The number on the wire.
    public let number: UInt64

    /// Wraps a number from the wire.
    public init(_ number: UInt64) {
        self.number = number
    }

    /// Whether the left change is the earlier one.
    public static func < (left: Revision, right: Revision) -> Bool {
        left.number < right.number
    }

    /// The number in decimal.
    public var description: String { String(self.number) }

    /// Whether a link's write with this cause takes the place of a value with that root.
    ///
    /// Values of an earlier epoch have one root. The greatest text of them stays, so that all links choose the same.
    package func replaces(_ root: Revision, by text: JSONText?, over present: JSONText) -> Bool {
        guard self == .first, root == .first else { return self > root }
        return text?.isGreater(than: present) ?? false
    }
}

extension Revision: ExpressibleByIntegerLiteral {
    /// Wraps a number of the program's text, such as 0 for a channel that must have no value yet.
    public init(integerLiteral number: UInt64) {
        self.init(number)
    }
}

/// The number of a terminal, which is valid for every client while the daemon runs.
public struct TerminalID: Hashable, Sendable, CustomStringConvertible {
    /// The number on the wire.
    public let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }

    /// The number in decimal.
    public var description: String { String(self.number) }
}

/// The number of a channel and the key of its row on disk; no other channel gets it while the daemon runs.
package struct ChannelNumber: Hashable, Comparable, Sendable {
    /// The limit: the terminals' numbers, which are twice as great, stay exact integers for every JSON reader.
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

    /// The number before this one; a number has one if it is not ``none``.
    package var previous: SendNumber { SendNumber(self.number - 1) }

    package static func < (left: SendNumber, right: SendNumber) -> Bool {
        left.number < right.number
    }
}

/// A client's number for one of its requests, by which it knows the answer.
package struct RequestID: Hashable, Sendable {
    package let number: Int64

    package init(_ number: Int64) {
        self.number = number
    }
}

/// The number of a watched pattern, which is valid for every client while the daemon runs.
package struct WatchID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// The number of a command, which is valid for every client while the daemon runs and knows the command.
package struct CommandID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}

/// The number of one run of a command, for its caller and its host.
package struct ExecutionID: Hashable, Sendable {
    package let number: UInt64

    package init(_ number: UInt64) {
        self.number = number
    }
}
