import RacHost
import RacProtocol

/// A change that the daemon made to a channel.
struct ObservedChange {
    let channel: ChannelName
    let before: ChannelRecord?
    let after: ChannelRecord?
    /// The binding through which the change came; nil if it came through none.
    var sender: Int?

    var revision: Revision { self.after?.revision ?? .never }

    /// The value or wish that the change brought, and the role that sees it.
    var news: (valuation: Valuation, leading: Bool, following: Bool)? {
        guard let after = self.after else { return nil }
        if let value = after.value, value.revision != self.before?.value?.revision {
            return (value, after.mode == .shared, true)
        }
        if let wish = after.wish, wish.revision != self.before?.wish?.revision { return (wish, true, false) }
        return nil
    }

    /// The end that the change gave to the bindings; the revision is nil if the record has none.
    var end: (how: ChannelEnd, revision: Revision?)? {
        switch (self.before?.state ?? .open, self.after?.state) {
        // A binding to a channel without changes is notified of its deletion as well.
        case (.open, nil): (.completed, nil)
        case (.open, .completed): (.completed, self.after?.revision)
        case (.open, .failed(let error)): (.failed(error), self.after?.revision)
        case (_, _): nil
        }
    }
}

/// The present and past states of the daemon's channels, seen from inside: no message of the daemon adds to them.
struct Truth {
    /// A value with the write that brought it.
    struct Fact {
        let channel: ChannelName
        let valuation: Valuation
        let sender: Int?
    }

    /// The span in which a write is applied once; it ends with the daemon's life at the latest.
    enum Once {
        case ever
        /// As long as the daemon keeps the writer's session.
        case inSession(incarnation: Int)
        case no
    }

    private struct Application: Hashable {
        let channel: ChannelName
        /// The number of times the channel was deleted before; 0 for a program's send, which a session remembers beyond that.
        let incarnation: Int
        let epoch: Int
        /// The value of a direct write: each value is unique.
        let value: JSONText?
        /// The root of a link's write.
        let root: Revision?
        /// The number of times the writer's session was forgotten before.
        let session: Int
    }

    let names: [ChannelName]
    private(set) var records: [ChannelName: ChannelRecord] = [:]
    private(set) var facts: [Revision: Fact] = [:]
    /// The greatest revision that was given out.
    private(set) var newest: Revision
    private var incarnations: [ChannelName: Int] = [:]
    private var applications: [Application: Revision] = [:]
    private var epoch = 0
    /// The changes that the present daemon has counted, including changes that leave no trace.
    private(set) var changeCount: UInt64 = 0
    /// The number of times each channel has ended.
    private(set) var ends: [ChannelName: Int] = [:]

    init(names: [ChannelName], newest: Revision) {
        self.names = names
        self.newest = newest
    }

    subscript(_ name: ChannelName) -> ChannelRecord? { self.records[name] }

    /// The changes since the last look, in the order of their revisions.
    mutating func look(at host: Host) -> [ObservedChange] {
        self.changeCount = host.changeCount
        var changes: [ObservedChange] = []
        for name in self.names {
            let before = self.records[name]
            let after = host.knownRecord(name)
            guard before?.revision != after?.revision else { continue }
            changes.append(ObservedChange(channel: name, before: before, after: after, sender: nil))
            self.records[name] = after
        }
        return changes.count > 1 ? changes.sorted { $0.revision < $1.revision } : changes
    }

    /// A daemon began with this state; its revisions go on from the last one or beyond it.
    mutating func begin(with records: [ChannelName: ChannelRecord]) {
        self.epoch += 1
        self.records = records
        self.changeCount = 0
    }

    /// Takes a change into the history.
    ///
    /// Each change has a revision of its own, and a write is applied once.
    mutating func enter(_ change: ObservedChange, once: Once) throws(Violation) {
        if change.end != nil { self.ends[change.channel, default: 0] += 1 }
        guard let after = change.after else {
            self.incarnations[change.channel, default: 0] += 1
            return
        }
        try hold(.revisions, after.revision > self.newest) {
            "\(change.channel) changed as \(after.revision), but \(self.newest) was given out before"
        }
        self.newest = after.revision
        guard let news = change.news else { return }
        try hold(.revisions, news.valuation.revision == after.revision) {
            "the value of \(change.channel) is of \(news.valuation.revision), its change of \(after.revision)"
        }
        self.facts[after.revision] = Fact(channel: change.channel, valuation: news.valuation, sender: change.sender)
        switch once {
        case .ever: try self.apply(news.valuation, on: change.channel, session: nil)
        case .inSession(let number): try self.apply(news.valuation, on: change.channel, session: number)
        case .no: break
        }
    }

    private mutating func apply(
        _ valuation: Valuation,
        on channel: ChannelName,
        session: Int?
    ) throws(Violation) {
        let application = Application(
            channel: channel,
            incarnation: session == nil || valuation.cause != nil ? self.incarnations[channel, default: 0] : 0,
            epoch: self.epoch,
            value: (valuation.cause ?? .first) == .first ? valuation.value : nil,
            root: valuation.cause,
            // A link's write is known by its root, even to a daemon that no longer knows the link.
            session: valuation.cause == nil ? session ?? 0 : 0
        )
        let earlier = self.applications.updateValue(valuation.revision, forKey: application)
        let rule: Rule = valuation.cause == nil ? .exactlyOnce : .links
        try hold(rule, earlier == nil) {
            "\(valuation.value) was applied to \(channel) as \(earlier ?? .never) and again as \(valuation.revision)"
        }
    }

    /// Whether a write of this value, which is unique, ever changed the channel.
    func wasApplied(_ value: JSONText, to channel: ChannelName) -> Bool {
        self.facts.values.contains { $0.channel == channel && $0.valuation.value == value }
    }

    /// Whether a link ever wrote this value into the channel.
    func wasLinked(_ value: JSONText, to channel: ChannelName) -> Bool {
        self.facts.values.contains {
            $0.channel == channel && $0.valuation.value == value && $0.valuation.cause != nil
        }
    }

    /// A deletion took a revision and left no record.
    mutating func note(_ revision: Revision) {
        self.newest = max(self.newest, revision)
    }
}
