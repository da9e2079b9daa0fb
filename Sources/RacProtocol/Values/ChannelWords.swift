/// One end of a channel.
public enum Role: String, CaseIterable, Sendable {
    /// The model's side.
    case leading
    /// The view's side.
    case following
}

/// The way of values between the two sides of a channel.
///
/// Semantics: protocol.md, "Modes".
public enum ChannelMode: String, CaseIterable, Sendable {
    /// One value for both sides: a value from one terminal reaches all others.
    case shared
    /// As in RACChannel: a value from one side reaches only the other side.
    case paired
}

/// Whether a channel is live, or the way it ended.
public enum ChannelState: Hashable, Sendable {
    /// Values may be sent.
    case open
    /// The channel completed.
    case completed
    /// The channel failed with an error.
    indirect case failed(WireError)

    /// The bytes of its error.
    package var byteCount: Int { if case .failed(let error) = self { error.byteCount } else { 0 } }

    package var word: ChannelStateWord {
        switch self {
        case .open: .open
        case .completed: .completed
        case .failed: .failed
        }
    }
}

/// The word for a channel's state in a message.
package enum ChannelStateWord: String, CaseIterable, Sendable {
    case open
    case completed
    case failed
    case deleted
}
