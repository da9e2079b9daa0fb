import RacAccess
import RacProtocol

/// The names that a list visits, in order, with an entry for each name that is known.
protocol ListedNames {
    associatedtype Entry

    /// Calls the closure with each name that the pattern may match, in order, until it returns false.
    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool)

    /// The entry of a name; nil if the name is not known.
    func entry(_ name: ChannelName) -> Entry?

    func name(of entry: Entry) -> ChannelName

    /// Whether a client with these rights may know of a name; nil for a client of an open daemon.
    func shows(_ name: ChannelName, to rights: Rights?) -> Bool

    /// The units of work of a verdict on a name.
    func unitsOfVerdict(by rights: Rights?) -> Int

    /// The units of work that an entry costs.
    func units(of entry: Entry) -> Int

    /// About the bytes of memory that an entry takes.
    func bytes(of entry: Entry) -> Int

    func reply(_ entries: [Entry], more: Bool) -> Reply
}

/// The answer to one `list` or `commands` under way: a large directory is visited over several ticks.
///
/// The client's rights may change meanwhile. The answer has only names that the client may know when the answer is sent.
///
/// Guarded by the host's isolation.
final class Listing<Names: ListedNames>: Subscriber {
    private let id: RequestID
    private let pattern: ChannelPattern
    private let most: Int
    private let names: Names
    private var last: ChannelName?
    private var entries: [Names.Entry] = []

    /// The bytes of the entries, which count with the queues of the connection.
    private var bytes = 0

    /// The rights by which the entries were judged.
    private var rights: Rights?

    init(_ names: Names, _ list: List, _ id: RequestID, connection: HostedConnection) {
        self.id = id
        self.pattern = list.pattern
        self.most = min(list.limit.map { Int(clamping: $0) } ?? .max, connection.limits.listedChannels)
        self.last = list.after
        self.names = names
        self.rights = connection.rights
        super.init(connection: connection)
    }

    private enum Progress {
        case complete
        case full
        case outOfTurn
    }

    override func serve(at time: Time) -> OnServed {
        self.judgeAnew()
        let progress = self.proceed()
        if case .outOfTurn = progress { return .unserved }
        self.connection.waitingLists -= 1
        let reply = self.names.reply(self.entries, more: progress == .full)
        self.connection.outgoing.append(.reply(self.id, reply))
        self.entries = []
        self.keep(-self.bytes)
        return .served
    }

    /// Drops the entries that the client may not know any more.
    private func judgeAnew() {
        let rights = self.connection.rights
        guard rights !== self.rights else { return }
        self.rights = rights
        self.connection.unitsLeft -= self.names.unitsOfVerdict(by: rights) * self.entries.count
        self.entries.removeAll { entry in
            guard !self.names.shows(self.names.name(of: entry), to: rights) else { return false }
            self.keep(-self.names.bytes(of: entry))
            return true
        }
    }

    /// Counts the bytes of an entry, or of those that are dropped if the number is negative.
    private func keep(_ bytes: Int) {
        self.bytes += bytes
        self.connection.queued(bytes)
    }

    private func proceed() -> Progress {
        var progress = Progress.complete
        self.names.forEach(in: self.pattern, after: self.last) { name in
            guard self.connection.unitsLeft > 0 else {
                progress = .outOfTurn
                return false
            }
            self.connection.unitsLeft -= Work.name + Work.match(name, self.pattern)
            if self.pattern.matches(name) {
                self.connection.unitsLeft -= self.names.unitsOfVerdict(by: self.rights)
                guard self.take(self.names.shows(name, to: self.rights) ? self.names.entry(name) : nil) else {
                    progress = .full
                    return false
                }
            }
            self.last = name
            return true
        }
        return progress
    }

    /// Takes an entry, if there is one; returns false if the answer has no place for it.
    private func take(_ entry: Names.Entry?) -> Bool {
        guard let entry else { return true }
        guard self.entries.count < self.most else { return false }
        self.entries.append(entry)
        self.keep(self.names.bytes(of: entry))
        self.connection.unitsLeft -= self.names.units(of: entry)
        return true
    }
}
