import DequeModule
import RacProtocol

/// The messages that are due to one binding after the changes of its channel, and the messages that it has received.
struct BindingWitness {
    private enum Stage {
        /// The daemon has made the binding; the client does not know it yet.
        case announced
        case bound
        case over
    }

    /// Counts the bindings of the history.
    let key: Int
    let client: String
    let channel: ChannelName
    let role: Role
    let will: Will?
    /// Nil until the client knows.
    private(set) var terminal: TerminalID?
    let getsEvery: Bool
    private var stage = Stage.announced

    /// Whether the daemon still has the binding.
    private(set) var isHosted = true
    private var last: Revision
    /// Values that the binding must receive, or newer ones instead.
    private var owed: Deque<Revision> = []
    /// Values up to this one may be left out, because the client's own send has overtaken them.
    private var optionalThrough = Revision.never
    private var owedEnd: (how: ChannelEnd, revision: Revision?)?
    /// Whether the rules have ended the binding.
    private var isWithdrawn = false

    init(_ key: Int, _ client: String, _ bind: Bind, _ record: ChannelRecord?) {
        self.key = key
        self.client = client
        self.channel = bind.channel
        self.role = bind.role
        self.will = bind.will
        let isPaced = bind.interval ?? 0 > 0
        self.getsEvery = !isPaced && !(bind.conflate ?? ((record?.mode ?? .shared) == .shared))
        self.last = record.flatMap { Shown($0).valuation(bind.role) }?.revision ?? .never
        if let record, let end = record.state.end { self.ended(end, record.revision) }
    }

    var name: String { "\(self.client), bound to \(self.channel) as \(self.role.rawValue)," }

    /// Whether the daemon may have ended the binding as too slow before the client knows: there is a value that it was
    /// not sent.
    var mayBeTooSlow: Bool { self.getsEvery && !self.owed.isEmpty }

    /// Whether the client has received the binding's end.
    var isOver: Bool { self.stage == .over }

    /// Whether the client knows the binding.
    var isAnnounced: Bool { self.stage != .announced }
}

// MARK: What the daemon does

extension BindingWitness {
    mutating func changed(_ change: ObservedChange) {
        guard self.isHosted, change.channel == self.channel else { return }
        if let news = change.news, self.role == .leading ? news.leading : news.following {
            if change.sender != self.key {
                self.owed.append(news.valuation.revision)
            } else if !self.getsEvery {
                self.optionalThrough = news.valuation.revision
            }
        }
        if let end = change.end { self.ended(end.how, end.revision) }
    }

    private mutating func ended(_ how: ChannelEnd, _ revision: Revision?) {
        self.isHosted = false
        self.owedEnd = (how, revision)
    }

    /// The rules do not allow the binding any more, so it ends for this client alone.
    mutating func withdrawn() {
        guard self.isHosted else { return }
        self.isWithdrawn = true
        self.ended(.failed(WireError(.forbidden, "the rules forbid it")), nil)
    }

    /// The client has unbound: values that it was not sent are no longer due.
    mutating func unbound() {
        self.isHosted = false
        self.optionalThrough = Revision(.max)
    }
}

// MARK: What the client hears

extension BindingWitness {
    mutating func heardBound(_ bound: Bound, lastApplied: SendNumber) throws(Violation) {
        self.terminal = bound.terminal
        try hold(.exactlyOnce, bound.lastApplied == lastApplied) {
            "\(self.name) was told that its last send was \(bound.lastApplied.number), not \(lastApplied.number)"
        }
        try hold(.oneOrder, bound.revision == self.last) {
            "\(self.name) was bound at \(bound.revision), but shows \(self.last)"
        }
        self.stage = .bound
    }

    mutating func heard(_ valuation: Valuation, _ fact: Truth.Fact?) throws(Violation) {
        let revision = valuation.revision
        try hold(.noEcho, fact?.sender != self.key, "\(self.name) got its own value of \(revision) back")
        try hold(.ends, self.stage == .bound, "\(self.name) got the value of \(revision) and was not bound any more")
        try hold(.oneOrder, fact?.valuation == valuation && fact?.channel == self.channel) {
            "\(self.name) was told \(valuation.value) as \(revision), which is \(fact?.valuation.value.text ?? "nothing")"
        }
        try hold(.oneOrder, revision > self.last, "\(self.name) got \(revision) after \(self.last)")
        self.last = revision
        while let first = self.owed.first, first < revision {
            try self.leaveOut(first)
            self.owed.removeFirst()
        }
        try hold(.oneOrder, self.owed.first == revision, "\(self.name) was not to be told \(revision)")
        self.owed.removeFirst()
    }

    private func leaveOut(_ revision: Revision) throws(Violation) {
        let isRight = !self.getsEvery || revision <= self.optionalThrough
        try hold(.slowReaders, isRight, "\(self.name) gets every value, but not that of \(revision)")
    }

    mutating func heard(_ end: ChannelEnd, _ revision: Revision?) throws(Violation) {
        try hold(.ends, self.stage == .bound, "\(self.name) was told of an end and was not bound any more")
        self.stage = .over
        if revision == nil, case .failed(let error) = end, error.code == ErrorCode.forbidden.rawValue {
            try hold(.standing, self.isWithdrawn, "\(self.name) was ended as forbidden, which its rules grant")
            self.owedEnd = nil
            return try self.checkNothingOwed("before its end")
        }
        guard let revision else {
            try hold(.slowReaders, self.getsEvery, "\(self.name) wants the newest only and was ended as too slow")
            self.isHosted = false
            self.owedEnd = nil
            return self.owed.removeAll()
        }
        guard let owedEnd = self.owedEnd else { throw Violation(.ends, "\(self.name) was told an end that was none") }
        self.owedEnd = nil
        try hold(.ends, owedEnd.how == end && owedEnd.revision ?? revision == revision) {
            "\(self.name) was told \(end) of \(revision), it was \(owedEnd)"
        }
        try self.checkNothingOwed("before its end")
    }

    mutating func heardUnbound() {
        self.stage = .over
        self.owed.removeAll()
        self.owedEnd = nil
    }

    /// Everything that was under way has arrived.
    func checkRest() throws(Violation) {
        try hold(self.isWithdrawn ? .judged : .ends, self.owedEnd == nil, "\(self.name) never heard of its end")
        try self.checkNothingOwed("in the end")
        try hold(.ends, self.stage != .bound || self.isHosted, "\(self.name) is not bound and was not told")
    }

    private func checkNothingOwed(_ when: String) throws(Violation) {
        guard let last = self.owed.last, last > self.optionalThrough else { return }
        throw Violation(.slowReaders, "\(self.name) was not told the value of \(last) \(when)")
    }
}

/// The part of a record that a role is shown.
struct Shown {
    let record: ChannelRecord

    init(_ record: ChannelRecord) {
        self.record = record
    }

    /// The value that a terminal of this side shows.
    func valuation(_ role: Role) -> Valuation? {
        self.record.mode == .paired && role == .leading ? self.record.wish : self.record.value
    }

    /// The value that a terminal of this side sent last; in a shared channel, of either side.
    func sent(by role: Role) -> Valuation? {
        self.record.mode == .paired && role == .following ? self.record.wish : self.record.value
    }
}

extension ChannelState {
    var end: ChannelEnd? {
        switch self {
        case .open: nil
        case .completed: .completed
        case .failed(let error): .failed(error)
        }
    }
}
