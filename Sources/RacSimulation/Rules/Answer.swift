import RacAccess
import RacProtocol

/// The answer that is due to a request.
enum Answer {
    /// The revision of the change; behind the batch's commit, if the request asked for the disk.
    case revision(Revision, BatchTicket?)
    /// Nothing changed, because there was nothing to change.
    case unchanged(Revision)
    case revisions([Revision], BatchTicket?)
    case deleted(BatchTicket?)
    case record(ChannelRecord)
    /// The channels in their order, with the number of terminals that may be bound to each.
    case listed([(record: ChannelRecord, bound: ClosedRange<Int>)])
    case bound
    case unbound(TerminalID)
    case refused
    /// The rules do not grant the request.
    case forbidden
    /// A command that the client hosts from now on, unless the rules forbid it before the client knows.
    case hosting(CommandName, isLost: Bool)
    /// A command that the client observes from now on, unless the rules forbid it before the client knows.
    case observing(CommandName, isLost: Bool)
    case anything

    /// The batch that the answer promises to be on the disk.
    var ticket: BatchTicket? {
        switch self {
        case .revision(_, let ticket), .revisions(_, let ticket), .deleted(let ticket): ticket
        case .unchanged, .record, .listed, .bound, .unbound, .refused, .forbidden, .hosting, .observing, .anything: nil
        }
    }

    func allows(_ reply: Reply) -> Bool {
        switch (self, reply) {
        case (.anything, _), (.hosting, _), (.observing, _), (.bound, .bound), (.unbound, .done): true
        case (.revision(let wanted, _), .revision(let told)), (.unchanged(let wanted), .revision(let told)):
            wanted == told
        case (.revisions(let wanted, _), .revisions(let told)): wanted == told
        case (.deleted, .revision): true
        case (.record(let record), .got(let got)):
            got.value == record.value?.value && got.revision == record.value?.revision ?? .never
                && got.state == record.state && got.mode == record.mode && got.wish == record.wish?.value
                && got.cause == record.value?.cause && got.wishRevision == record.wish?.revision
        case (.listed(let wanted), .listed(let told)):
            !told.more && told.channels.count == wanted.count
                && zip(told.channels, wanted).allSatisfy { Self.isRight($0, $1.record, bound: $1.bound) }
        case (_, _): false
        }
    }

    private static func isRight(_ entry: Listed.Entry, _ record: ChannelRecord, bound: ClosedRange<Int>) -> Bool {
        entry.channel == record.name && entry.revision == record.value?.revision ?? .never
            && entry.state == record.state.word && entry.mode == record.mode
            && bound.contains(Int(clamping: entry.bound))
    }

    /// Whether a refusal is correct.
    func allows(_ refusal: Refusal) -> Bool {
        switch self {
        case .refused, .forbidden, .anything, .hosting, .observing, .bound, .unbound: true
        // The change was made and shown, but the disk did not take it.
        case .revision, .revisions, .deleted: refusal.error.code == ErrorCode.storage.rawValue && self.ticket != nil
        case .unchanged: refusal.error.code == ErrorCode.storage.rawValue
        case .record, .listed: false
        }
    }
}

extension Answer {
    /// The answer after the client's connection was judged by other rules; nil if it is the same.
    func judged(_ rights: RightsWitness) -> Answer? {
        switch self {
        case .hosting(let command, false) where !rights.allows(.host, command.name): .hosting(command, isLost: true)
        case .observing(let command, false) where !rights.allows(.observe, command.name):
            .observing(command, isLost: true)
        default: nil
        }
    }

    /// Whether the answer's host or observer was lost before the client knew.
    var isLost: Bool {
        switch self {
        case .hosting(_, let isLost), .observing(_, let isLost): isLost
        default: false
        }
    }
}
