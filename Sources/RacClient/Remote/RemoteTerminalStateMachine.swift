import NIOCore
package import RacProtocol

/// A terminal of a channel over all connections of a client: what was written and is not answered, what may be shown.
///
/// A write has a number of this machine's, which never changes, and a send number, which is good for one epoch. In a shared
/// channel of the writes that have not gone out the newest is enough; what it stands for is answered with it.
///
/// Semantics: protocol.md, "Sessions", "Agreement" and "What a client does", 3 and 4.
package struct RemoteTerminalStateMachine: Sendable {
    /// The number of a write: 1, 2, 3… over all connections.
    package typealias WriteNumber = UInt64

    /// What became of writes: all up to one, or those that one stood for.
    package enum Answer: Equatable, Sendable {
        case applied(through: WriteNumber, Revision)
        case refused(ClosedRange<WriteNumber>, Refusal)
    }

    /// What may be told now, in this order.
    package struct News: Equatable, Sendable {
        /// What the program is to be shown.
        package var value: Valuation?
        /// The revision of what the program shows already.
        package var standing: Revision?
        package var answer: Answer?
        package var end: TerminalEnd?

        package init(
            value: Valuation? = nil,
            standing: Revision? = nil,
            answer: Answer? = nil,
            end: TerminalEnd? = nil
        ) {
            self.value = value
            self.standing = standing
            self.answer = answer
            self.end = end
        }
    }

    package enum OnWrite: Equatable, Sendable {
        case taken(WriteNumber)
        /// It came too late in its chain of links: this is what the program is to show instead.
        case changesNothing
        /// The channel, or this terminal, has ended or is about to.
        case ended
        /// Too many writes wait.
        case full
    }

    package enum OnBound: Equatable, Sendable {
        case news(News)
        /// The channel is of another mode: this terminal is over.
        case wrongMode
    }

    package enum OnEnded: Equatable, Sendable {
        case news(News)
        /// This binding alone ended, and of a shared property the newest value is enough: bind again.
        case bindAgain
    }

    private enum Phase {
        /// There is no binding: no connection, or no answer to bind yet.
        case unbound
        case bound(TerminalID)
        case ended
    }

    fileprivate struct Entry {
        var event: Send.Event
        var sync: Bool
        /// The writes that it stands for; nil if the program has asked for none.
        var writes: ClosedRange<WriteNumber>?
        /// Nil until it is numbered.
        var number: SendNumber?
    }

    /// The value that the program shows, as text.
    private struct Shown {
        var text: JSONText
        /// The change that it began with; nil if that is a write of this program that has no revision yet.
        var root: Revision?
        /// The cause of a write of this program; nil in a value that came.
        var written: Revision??
        /// Whether the daemon has lost it and has no other value.
        var isLost = false
    }

    private let mode: ChannelMode
    private let maximumWaiting: Int
    private let maximumUnderWay: Int
    private var phase = Phase.unbound
    /// What is not answered; the first `sent` of them have gone out on this connection.
    private var queue = CircularBuffer<Entry>()
    private var sent = 0
    private var lastNumber = SendNumber.none
    private var lastWrite: WriteNumber = 0
    private var agreement = OpenWriteStateMachine()
    private var shown: Shown?
    /// What the other side of a paired channel sent last, as far as it has come.
    private var came: Valuation?
    /// The newest revision that the daemon has told; nil until it has told how the channel is.
    private var known: Revision?
    /// The newest revision of a write of this program.
    private var own = Revision.none
    /// Whether a write was refused without a word on what the channel has.
    private var isUnsure = false
    /// How this program ends the channel, if it does.
    private var ending: ChannelEnd?

    package init(mode: ChannelMode, maximumWaiting: Int = 1024, maximumUnderWay: Int = 256) {
        self.mode = mode
        self.maximumWaiting = maximumWaiting
        self.maximumUnderWay = maximumUnderWay
    }

    /// Whether every write is answered.
    package var isSettled: Bool { self.queue.isEmpty }

    /// The number of the newest write.
    package var newest: WriteNumber { self.lastWrite }

    /// Whether a write has room.
    package var hasRoom: Bool { self.queue.count < self.maximumWaiting }

    /// Whether the daemon has told how the channel is.
    package var isReported: Bool { self.known != nil }

    /// What the program shows, and what it may be passed on with; of a paired channel what came last.
    package var shownValue: (text: JSONText, root: Revision?, revision: Revision?)? {
        switch self.mode {
        case .shared: self.shown.map { ($0.text, $0.root, self.queue.isEmpty ? self.known : nil) }
        case .paired: self.came.map { ($0.value, $0.root, $0.revision) }
        }
    }

    /// Whether the program shows that value, as it came with that change.
    package func shows(_ value: JSONText, from root: Revision?) -> Bool {
        self.shown.map { $0.text == value && $0.root == root } ?? false
    }

    /// The terminal that is bound now.
    package var terminal: TerminalID? {
        if case .bound(let terminal) = self.phase { terminal } else { nil }
    }
}

// MARK: Writing

extension RemoteTerminalStateMachine {
    /// The program writes a value, and shows it, or ends the channel.
    package mutating func write(_ event: Send.Event, sync: Bool = false) -> OnWrite {
        if case .ended = self.phase { return .ended }
        guard self.ending == nil, !self.agreement.isEnding else { return .ended }
        guard self.hasRoom else { return .full }
        if case .next(_, _, let cause?) = event, self.mode == .shared, self.isNewer(than: cause) {
            return .changesNothing
        }
        self.lastWrite += 1
        let entry = Entry(event: event, sync: sync, writes: self.lastWrite...self.lastWrite)
        switch event {
        case .next(let value, _, let cause):
            self.shown = Shown(text: value, root: cause, written: .some(cause))
            self.append(entry)
        case .end(let end):
            self.ending = end
            self.append(entry)
        }
        return .taken(self.lastWrite)
    }

    /// Whether what is shown began later than that change: a write that has no revision yet will have a greater one.
    private func isNewer(than cause: Revision) -> Bool {
        guard let shown = self.shown, !shown.isLost else { return false }
        return shown.root.map { $0 >= cause } ?? true
    }

    private mutating func append(_ entry: Entry) {
        var entry = entry
        if self.mode == .shared { self.overwrite(with: &entry, from: self.sent) }
        if case .bound = self.phase { self.number(&entry) }
        self.queue.append(entry)
    }

    /// Takes writes back that have not gone out and would be overwritten at once by what comes next.
    ///
    /// One with a cause may come to nothing, so it takes back only what has a smaller one.
    private mutating func overwrite(with entry: inout Entry, from first: Int) {
        while self.queue.count > first, let last = self.queue.last, last.isOverwritten(by: entry) {
            self.queue.removeLast()
            entry.sync = entry.sync || last.sync
            entry.join(last.writes)
        }
    }

    private mutating func number(_ entry: inout Entry) {
        self.lastNumber = self.lastNumber.next
        entry.number = self.lastNumber
        if case .next = entry.event, self.mode == .shared { self.agreement.sent(self.lastNumber) }
    }

    /// What is to go out next; nil if nothing is, or too much is on its way.
    ///
    /// An end waits for the answers to what was before it.
    package mutating func nextSend() -> Send? {
        guard case .bound(let terminal) = self.phase, self.sent < self.queue.count else { return nil }
        let entry = self.queue[offset: self.sent]
        guard self.sent < self.maximumUnderWay, let number = entry.number else { return nil }
        if case .end = entry.event, self.sent > 0 { return nil }
        self.sent += 1
        return Send(terminal: terminal, number: number, event: entry.event, sync: entry.sync)
    }
}

extension RemoteTerminalStateMachine.Entry {
    /// Whether nobody would miss it if `next` went out instead.
    fileprivate func isOverwritten(by next: RemoteTerminalStateMachine.Entry) -> Bool {
        guard case .next(_, nil, let cause) = self.event, case .next(_, nil, let nextCause) = next.event else {
            return false
        }
        guard let nextCause else { return true }
        return cause.map { $0 <= nextCause } ?? false
    }

    fileprivate mutating func join(_ earlier: ClosedRange<UInt64>?) {
        guard let earlier else { return }
        self.writes = earlier.lowerBound...(self.writes ?? earlier).upperBound
    }
}

// MARK: Binding

extension RemoteTerminalStateMachine {
    /// The revision that the daemon need not tell the value of; nil if it must tell what it has.
    package var since: Revision? {
        switch self.mode {
        case .paired: self.known
        case .shared: self.queue.isEmpty && !self.isUnsure ? self.known : nil
        }
    }

    /// The daemon has bound the terminal, on a new connection or again.
    ///
    /// In another epoch it knows no numbers any more, and may have lost the changes of its last milliseconds.
    package mutating func bound(_ bound: Bound, isNewEpoch: Bool) -> OnBound {
        guard bound.mode == self.mode else {
            self.phase = .ended
            return .wrongMode
        }
        self.phase = .bound(bound.terminal)
        var news = News()
        if isNewEpoch {
            self.lastNumber = bound.lastApplied
            for index in self.queue.indices { self.queue[index].number = nil }
        } else {
            self.lastNumber = max(self.lastNumber, bound.lastApplied)
            news.answer = self.drop(through: bound)
        }
        let value = bound.value.map { Valuation(value: $0.detached, revision: bound.revision, cause: bound.cause) }
        let isLost = isNewEpoch && self.mode == .shared && bound.revision < self.own && self.queue.isEmpty
        self.renumber()
        if isLost, self.ending == nil { self.writeAgain(over: bound.revision) }
        if isNewEpoch, value == nil, bound.revision == .none, self.queue.isEmpty { self.shown?.isLost = true }
        self.known = bound.revision
        self.isUnsure = false
        self.arrive(value, isNewEpoch: isNewEpoch, &news)
        // Nothing is behind an end: if nothing is left it was applied, and this program is through with the channel, even if
        // that is open again.
        if let ending, self.queue.isEmpty { self.end(TerminalEnd(ending, revision: bound.revision), &news) }
        return .news(news)
    }

    /// Drops the writes that were applied; those that want the disk are sent again under their number, to hear of that.
    private mutating func drop(through bound: Bound) -> Answer? {
        var last: Entry?
        while let entry = self.queue.first, let number = entry.number, number <= bound.lastApplied, !entry.sync {
            last = entry
            self.queue.removeFirst()
        }
        return last?.writes.map { .applied(through: $0.upperBound, bound.revision) }
    }

    /// Nothing has gone out on this connection yet: the newest writes are enough, and all have numbers.
    private mutating func renumber() {
        self.sent = 0
        let entries = self.queue
        self.queue.removeAll(keepingCapacity: true)
        for var entry in entries {
            if self.mode == .shared { self.overwrite(with: &entry, from: 0) }
            self.queue.append(entry)
        }
        for index in self.queue.indices where self.queue[index].number == nil {
            self.lastNumber = self.lastNumber.next
            self.queue[index].number = self.lastNumber
        }
    }

    /// The daemon has lost the value that this program wrote last, and still shows: it is written again, unless somebody
    /// was faster.
    private mutating func writeAgain(over revision: Revision) {
        guard let shown = self.shown, case .some(let cause) = shown.written else { return }
        self.lastNumber = self.lastNumber.next
        let event = Send.Event.next(shown.text, condition: revision, cause: cause)
        self.queue.append(Entry(event: event, sync: false, writes: nil, number: self.lastNumber))
    }

    private mutating func arrive(_ value: Valuation?, isNewEpoch: Bool, _ news: inout News) {
        guard self.mode == .shared else {
            if value != nil || self.known == Revision.none { self.came = value }
            news.value = value
            return
        }
        if isNewEpoch, value != nil { self.own = .none }
        let last = self.queue.last { if case .next = $0.event { true } else { false } }?.number
        let release = self.agreement.bound(value, last: last, forgetting: isNewEpoch)
        self.tell(release, &news) { $0.value == $1.text }
    }

    /// Nothing more is written or comes.
    package mutating func close() {
        var news = News()
        self.end(TerminalEnd(.completed, revision: nil), &news)
    }

    /// The connection is lost, or the binding alone.
    package mutating func unbound() -> News {
        guard case .bound = self.phase else { return News() }
        self.phase = .unbound
        self.sent = 0
        var news = News()
        self.end(self.agreement.connectionLost().end, &news)
        return news
    }
}

// MARK: What the daemon says

extension RemoteTerminalStateMachine {
    /// Somebody else's value came.
    package mutating func arrived(_ value: Valuation) -> News {
        self.known = max(self.known ?? .none, value.revision)
        guard self.mode == .shared else {
            self.came = value
            return News(value: value)
        }
        var news = News()
        self.tell(self.agreement.arrived(value), &news) { $0.value == $1.text && $0.root == $1.root }
        return news
    }

    /// The terminal ended; without a revision this binding alone did.
    package mutating func ended(_ end: TerminalEnd) -> OnEnded {
        if end.revision == nil, self.mode == .shared {
            _ = self.unbound()
            return .bindAgain
        }
        var news = News()
        let release = self.mode == .shared ? self.agreement.ended(end) : .init(end: end)
        self.tell(release, &news) { _, _ in false }
        return .news(news)
    }

    /// The daemon applied every send up to `number`, the last one as `revision`.
    package mutating func acknowledged(_ number: SendNumber, as revision: Revision) -> News {
        self.answered(number, revision) { $0.acknowledged(number, as: revision) }
    }

    /// A send came too late in its chain of links: `standing` is what the channel has.
    package mutating func changedNothing(_ number: SendNumber, standing: Valuation) -> News {
        self.answered(number, standing.revision) { $0.changedNothing(number, standing: standing) }
    }

    private mutating func answered(
        _ number: SendNumber,
        _ revision: Revision,
        _ release: (inout OpenWriteStateMachine) -> OpenWriteStateMachine.Release
    ) -> News {
        guard let last = self.pop(through: number) else { return News() }
        var news = News(answer: last.writes.map { .applied(through: $0.upperBound, revision) })
        if self.mode == .shared, case .next = last.event {
            self.known = max(self.known ?? .none, revision)
            self.own = max(self.own, revision)
            self.tell(release(&self.agreement), &news) { $0.value == $1.text }
            if self.queue.isEmpty, news.value == nil {
                news.standing = revision
                if self.shown?.root == nil { self.shown?.root = revision }
            }
        }
        return news
    }

    /// The last of the writes that have gone out under numbers up to `number`.
    private mutating func pop(through number: SendNumber) -> Entry? {
        var last: Entry?
        while self.sent > 0, let first = self.queue.first, let own = first.number, own <= number {
            last = first
            self.queue.removeFirst()
            self.sent -= 1
        }
        return last
    }

    /// Whether the channel's value must be asked for before ``refused(_:_:standing:)``, if the refusal does not tell it.
    package func mustAsk(afterRefusalOf number: SendNumber) -> Bool {
        self.mode == .shared && self.agreement.mustAsk(afterRefusalOf: number)
    }

    /// The daemon did not apply a send; `standing` is the value that the channel has, if that is known.
    package mutating func refused(_ number: SendNumber, _ refusal: Refusal, standing: Valuation?) -> News {
        guard let last = self.pop(through: number) else { return News() }
        if case .end = last.event { self.ending = nil }
        var news = News(answer: last.writes.map { .refused($0, refusal) })
        if self.mode == .shared, case .next = last.event {
            self.isUnsure = self.isUnsure || standing == nil
            if let standing { self.known = max(self.known ?? .none, standing.revision) }
            self.tell(self.agreement.refused(number, standing: standing), &news) { $0.value == $1.text }
        }
        return news
    }

    /// Fills in what a release lets the program see, unless it shows that already.
    private mutating func tell(
        _ release: OpenWriteStateMachine.Release,
        _ news: inout News,
        isShown: (Valuation, Shown) -> Bool
    ) {
        if let value = release.value {
            if let shown = self.shown, isShown(value, shown) {
                news.standing = value.revision
            } else {
                news.value = value
            }
            self.shown = Shown(text: value.value, root: value.root, written: nil)
        }
        self.end(release.end, &news)
    }

    private mutating func end(_ end: TerminalEnd?, _ news: inout News) {
        guard let end else { return }
        news.end = end
        self.phase = .ended
        self.queue.removeAll()
        self.sent = 0
    }
}
