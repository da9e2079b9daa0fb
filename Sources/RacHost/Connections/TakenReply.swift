package import RacProtocol

/// An answer to a request for one channel that its connection takes as it is, without a frame.
///
/// A connection of HTTP writes answers in its own form, and would have to read the frame first.
package indirect enum TakenReply: Sendable {
    case got(Got)
    case revision(Revision)

    /// The answer in a message; nil for any other message.
    init?(_ message: borrowing ServerMessage) {
        switch message {
        case .reply(_, .got(let got)): self = .got(got)
        case .reply(_, .revision(let revision)): self = .revision(revision)
        default: return nil
        }
    }

    /// The bytes for which the answer counts: about those of its frame.
    var byteCount: Int {
        switch self {
        case .got(let got): Self.overhead + (got.value?.byteCount ?? 0) + (got.wish?.byteCount ?? 0)
        case .revision: Self.overhead
        }
    }

    private static var overhead: Int { 96 }
}
