/// One end of a channel.
public enum Role: String, Sendable {
    /// The model's side.
    case leading
    /// The view's side.
    case following
}

/// How values travel between the two sides of a channel.
///
/// Semantics: protocol.md, "Modes".
public enum ChannelMode: String, Sendable {
    /// One value for both sides: what one terminal sends reaches all others.
    case shared
    /// RACChannel: what one side sends comes out of the other one only.
    case paired
}

/// Whether a channel is live, and how it ended if it is not.
public enum ChannelState: Hashable, Sendable {
    /// Values may be sent.
    case open
    /// It ended with completion.
    case completed
    /// It ended with an error.
    indirect case failed(WireError)

    package var word: ChannelStateWord {
        switch self {
        case .open: .open
        case .completed: .completed
        case .failed: .failed
        }
    }
}

/// The word that stands for a channel's state in a message.
package enum ChannelStateWord: String, Sendable {
    case open
    case completed
    case failed
    case deleted
}
