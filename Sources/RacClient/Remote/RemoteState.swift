import NIOCore
import Rac
import RacProtocol
import Synchronization

/// The revision of one change of a mirror.
struct RemoteStamp: Sendable {
    var rank: UInt64
    /// Nil while the daemon has not reported it.
    var revision: Revision?
}

/// A write that a task awaits the answer to.
struct AwaitedWrite: Sendable {
    let ticket: UInt64
    let sync: Bool
    let whenAnswered: @Sendable (Result<Revision, ClientError>) -> Void
}

/// The text of a value that was encoded on its way in, so that the event loop need not encode it again.
struct EncodedValue: Sendable {
    /// The ticket in the tag of the change; nil if a binding carried the change.
    let ticket: UInt64?
    /// The identity of the change that a binding carried.
    let identity: UInt64?
    let text: JSONText

    func isOf<Value>(_ change: Change<Value>) -> Bool {
        if let ticket { ticket == ChangeTag(rawValue: change.tag).ticket } else { self.identity == change.identity }
    }
}

/// Whether a terminal is bound, and whether it was.
enum Boundness: UInt8, AtomicRepresentable {
    /// It has not been bound yet.
    case notYet
    case bound
    /// It was bound until the connection was lost.
    case lost
    /// Nothing comes any more.
    case over
}

/// The state that a remote property or terminal shares between the program's threads and the event loop.
///
/// Guards: each member guards itself, for a few lines at a time.
final class RemoteState<Value: Sendable>: Sendable {
    private enum Awaited {
        case open([UInt64: AwaitedWrite])
        /// Each later write is refused; whether the channel has ended and keeps its value.
        case closed(ClientError, isStanding: Bool)
    }

    let queue: Guarded<WriteQueue<Value>>
    let stamp = Guarded(RemoteStamp(rank: 0, revision: nil))
    /// The newest value that was encoded on its way in: an older one of a property is seldom sent.
    let encoded = Guarded<EncodedValue?>(nil)
    /// The default that is shown until the daemon reports a value or the program sets one.
    private let offered = Property<JSONText?>(nil)
    private let isOffering = Atomic(false)
    private let binding = Atomic(Boundness.notYet)
    private let isEndedBlank = Atomic(false)
    /// The number of acknowledgements, and of times when the terminal was bound or ceased to be: views read it.
    private let standings = Property(0)
    /// Refused writes, and values that cannot be shown.
    let problems: ChannelProblems
    private let maximumAwaited = ConnectionLimits().requestsUnderWay
    private let awaited = Guarded(Awaited.open([:]))

    init(isProperty: Bool, maximumCount: Int, _ problems: ChannelProblems) {
        self.problems = problems
        self.queue = Guarded(WriteQueue(isProperty: isProperty, maximumCount: maximumCount))
    }

    /// Whether the channel has ended and never had a value.
    var isBlank: Bool { self.isEndedBlank.load(ordering: .acquiring) }

    func endedBlank() { self.isEndedBlank.store(true, ordering: .releasing) }

    /// Whether the terminal is bound at present, and whether it was.
    var boundness: Boundness { self.binding.load(ordering: .acquiring) }

    /// Notes that the caller reads how its writes stand, or whether the terminal is bound, for Swift's observation.
    func isRead() { _ = self.standings.value }

    /// An event at once, and at each acknowledgement, and when the terminal is bound, has lost its connection, or is over.
    var news: Signal<Void, Never> { self.standings.signal.map { _ in } }

    /// The daemon has acknowledged the value that is shown.
    func acknowledged() { self.standings.modify { $0 &+= 1 } }

    /// Whether nothing comes any more.
    var isOver: Bool {
        self.awaited.withLock { if case .closed = $0 { true } else { false } }
    }

    /// Notes that the terminal was bound, that its connection was lost, or that it is over.
    func become(_ boundness: Boundness) {
        let isNews = self.binding.exchange(boundness, ordering: .acquiringAndReleasing) != boundness
        if isNews { self.standings.modify { $0 &+= 1 } }
    }

    /// Notes that a default is shown.
    func offer(_ text: JSONText) {
        self.offered.value = text
        self.isOffering.store(true, ordering: .releasing)
    }

    /// The default, if nothing else is shown.
    var offer: JSONText? { self.isOffering.load(ordering: .acquiring) ? self.offered.value : nil }

    /// The default does not count any more.
    func endOffer() {
        if self.isOffering.exchange(false, ordering: .acquiringAndReleasing) { self.offered.value = nil }
    }

    /// Waits until no default is shown.
    func endedOffer() async throws(ClientError) {
        let news = combineLatest(self.offered, self.problems.newest)
        for await (offered, problem) in news.signal.values(keepingNewest: 1) {
            guard offered != nil else { return }
            if let problem, case .unreadableValue = problem.kind { throw problem.error }
        }
        throw .cancelledWait
    }

    /// Notes an awaited write; returns an error if the channel has ended or too many tasks wait.
    func await(_ write: AwaitedWrite, for channel: ChannelName) -> ClientError? {
        self.awaited.withLock { awaited in
            switch awaited {
            case .closed(let error, _): return error
            case .open(let writes) where writes.count >= self.maximumAwaited: return .tooManyWait(for: channel)
            case .open(var writes):
                awaited = .open([:])
                writes[write.ticket] = write
                awaited = .open(writes)
                return nil
            }
        }
    }

    /// The text of a change, if it is still known.
    func takeText(of change: Change<Value>) -> JSONText? {
        self.encoded.withLock { encoded in
            guard let newest = encoded, newest.isOf(change) else { return nil }
            encoded = nil
            return newest.text
        }
    }

    func takeAwaited(_ ticket: UInt64) -> AwaitedWrite? {
        self.awaited.withLock { awaited in
            guard case .open(var writes) = awaited else { return nil }
            awaited = .open([:])
            defer { awaited = .open(writes) }
            return writes.removeValue(forKey: ticket)
        }
    }

    /// Whether the channel has ended: it keeps its last value, and each other one is refused.
    var isStanding: Bool {
        self.awaited.withLock { if case .closed(_, true) = $0 { true } else { false } }
    }

    /// The error for writes behind the end; nil before it.
    var errorOfLaterWrites: ClientError? {
        self.awaited.withLock { if case .closed(let error, _) = $0 { error } else { nil } }
    }

    /// Reports a write that comes behind the end; returns its error, or nil before the end.
    @discardableResult
    func refuseLate() -> ClientError? {
        guard let error = self.errorOfLaterWrites else { return nil }
        self.problems.report(.refusedWrite, error)
        return error
    }

    /// Takes all awaited writes: each later one is refused with `error`.
    ///
    /// - Parameters:
    ///   - error: How later writes fail.
    ///   - isStanding: Whether the channel itself has ended.
    /// - Returns: The writes that waited, in their order.
    func closeAwaited(_ error: ClientError, isStanding: Bool) -> [AwaitedWrite] {
        self.awaited.withLock { awaited in
            defer { awaited = .closed(error, isStanding: isStanding) }
            guard case .open(let writes) = awaited else { return [] }
            return writes.values.sorted { $0.ticket < $1.ticket }
        }
    }
}

extension ClientError {
    static func tooManyWait(for channel: ChannelName) -> ClientError {
        ClientError(.limit, "\(ConnectionLimits().requestsUnderWay) tasks wait for answers about \(channel) already")
    }
}
