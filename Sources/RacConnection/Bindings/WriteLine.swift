import NIOCore
package import RacProtocol

/// The writes of one terminal that the daemon has not answered, in their order.
///
/// A write has a number of this program's, which never changes, and a send number, which is good for one epoch. In a shared
/// channel only the newest of the unsent writes goes out; its answer stands for those that it replaced.
///
/// Semantics: protocol.md, "Sessions" and "Over connections".
package struct WriteLine: Sendable {
    /// The number of a write: 1, 2, 3… over all connections.
    package typealias WriteNumber = UInt64

    /// One send, and the writes that it answers for.
    package struct Entry: Equatable, Sendable {
        package internal(set) var event: Send.Event
        package internal(set) var sync: Bool
        /// Nil if the program has asked for none of them.
        package internal(set) var writes: ClosedRange<WriteNumber>?
        /// Nil until the terminal is bound.
        package internal(set) var number: SendNumber?
        /// Whether the entry goes out only when every write before it is answered, as an end does.
        var goesAlone = false

        package var isValue: Bool { if case .next = self.event { true } else { false } }
    }

    private let overwrites: Bool
    private let maximumWaiting: Int
    private let maximumUnderWay: Int
    /// The greatest send number that an earlier line may have used for the terminal.
    private let lastUsed: SendNumber
    private var entries = CircularBuffer<Entry>()
    /// The number of entries, from the front, that have gone out on this connection.
    private var sentCount = 0
    /// The greatest send number so far.
    package private(set) var lastNumber: SendNumber
    /// The number of the newest write.
    package private(set) var newest: WriteNumber = 0
    /// How this program ends the channel, if it does.
    package private(set) var ending: ChannelEnd?

    /// - Parameters:
    ///   - overwrites: Whether the newest value replaces unsent ones.
    ///   - maximumWaiting: The greatest number of entries.
    ///   - maximumUnderWay: The greatest number of unanswered sends.
    ///   - lastUsed: Each send number is above this one.
    package init(
        overwrites: Bool,
        maximumWaiting: Int = 1024,
        maximumUnderWay: Int = 256,
        after lastUsed: SendNumber = .none
    ) {
        self.overwrites = overwrites
        self.maximumWaiting = maximumWaiting
        self.maximumUnderWay = maximumUnderWay
        self.lastUsed = lastUsed
        self.lastNumber = lastUsed
    }

    /// The values without an answer; nil if there are none.
    package var writes: ClosedRange<WriteNumber>? {
        let writes = self.entries.lazy.filter(\.isValue).compactMap(\.writes)
        guard let first = writes.first, let last = writes.last else { return nil }
        return first.lowerBound...last.upperBound
    }

    /// The number of sends without an answer.
    package var count: Int { self.entries.count }

    /// Whether every write is answered.
    package var isEmpty: Bool { self.entries.isEmpty }

    /// The oldest write without an answer; nil if there is none.
    package var oldest: WriteNumber? { self.entries.lazy.compactMap { $0.writes?.lowerBound }.first }

    /// The number of writes that still fit.
    package var room: Int { self.maximumWaiting - self.count }

    /// Whether another write fits.
    package var hasRoom: Bool { self.room > 0 }

    /// The send number of the last value; nil if there is no value, or it has no number yet.
    package var lastValueNumber: SendNumber? { self.entries.last { $0.isValue }?.number }
}

// MARK: Writing

extension WriteLine {
    /// Takes a write of the program; returns its send number if the terminal is bound.
    package mutating func append(_ event: Send.Event, sync: Bool, isBound: Bool) -> SendNumber? {
        self.newest += 1
        if case .end(let end) = event { self.ending = end }
        var entry = Entry(event: event, sync: sync, writes: self.newest...self.newest)
        self.overwrite(with: &entry, from: isBound ? self.sentCount : self.numberedCount)
        if isBound { entry.number = self.nextNumber() }
        self.entries.append(entry)
        return entry.number
    }

    /// Takes a value that no write of the program has asked for.
    package mutating func append(unasked event: Send.Event) {
        self.entries.append(Entry(event: event, sync: false, writes: nil, number: self.nextNumber()))
    }

    /// The number of entries, from the front, that have a send number: over a lost connection each may have an outcome.
    private var numberedCount: Int { self.entries.prefix { $0.number != nil }.count }

    private mutating func nextNumber() -> SendNumber {
        self.lastNumber = self.lastNumber.next
        return self.lastNumber
    }

    /// Removes the unsent writes that the next one would overwrite at once.
    ///
    /// A write with a cause may come to nothing, so it replaces only writes with a smaller cause.
    private mutating func overwrite(with entry: inout Entry, from first: Int) {
        guard self.overwrites else { return }
        while self.entries.count > first, let last = self.entries.last, last.isOverwritten(by: entry) {
            self.entries.removeLast()
            entry.sync = entry.sync || last.sync
            entry.join(last.writes)
        }
    }

    /// Returns the next send into that terminal; nil if none waits, or too many are on their way.
    ///
    /// An end waits for the answers to the writes before it.
    package mutating func nextSend(into terminal: TerminalID) -> Send? {
        guard self.sentCount < self.entries.count, self.sentCount < self.maximumUnderWay else { return nil }
        let entry = self.entries[offset: self.sentCount]
        guard let number = entry.number, entry.isValue && !entry.goesAlone || self.sentCount == 0 else { return nil }
        self.sentCount += 1
        return Send(terminal: terminal, number: number, event: entry.event, sync: entry.sync)
    }

    /// The newest send does not fit into a frame, and so is refused here: in the order of the sends, as the daemon would.
    ///
    /// - Returns: Whether it is taken back, and comes again when the sends before it are answered.
    package mutating func takeBack() -> Bool {
        guard self.sentCount > 1 else { return false }
        self.sentCount -= 1
        self.entries[offset: self.sentCount].goesAlone = true
        return true
    }
}

extension WriteLine.Entry {
    /// The value with the revision that the daemon gave it; nil of an end.
    func valuation(at revision: Revision) -> Valuation? {
        guard case .next(let text, _, let cause) = self.event else { return nil }
        return Valuation(value: text, revision: revision, cause: cause)
    }

    /// Whether nobody would miss it if `next` went out instead.
    fileprivate func isOverwritten(by next: WriteLine.Entry) -> Bool {
        guard case .next(_, nil, let cause) = self.event, case .next(_, nil, let nextCause) = next.event else {
            return false
        }
        guard let nextCause else { return true }
        return cause.map { $0 <= nextCause } ?? false
    }

    fileprivate mutating func join(_ earlier: ClosedRange<WriteLine.WriteNumber>?) {
        guard let earlier else { return }
        self.writes = earlier.lowerBound...(self.writes ?? earlier).upperBound
    }
}

// MARK: Answers

extension WriteLine {
    /// Removes the sends with numbers up to `number`; returns the last of them.
    package mutating func answered(through number: SendNumber) -> Entry? {
        var last: Entry?
        while self.sentCount > 0, let first = self.entries.first, let own = first.number, own <= number {
            last = first
            self.entries.removeFirst()
            self.sentCount -= 1
        }
        return last
    }

    /// The daemon refused the end of the channel.
    package mutating func endRefused() {
        self.ending = nil
    }

    /// Forgets every write: no answer will come.
    package mutating func removeAll() {
        self.entries.removeAll()
        self.sentCount = 0
    }
}

// MARK: Binding

extension WriteLine {
    /// The connection is lost: every entry goes out again on the next one, and no answer comes before.
    package mutating func unbound() {
        self.sentCount = 0
    }

    /// The causes of an earlier epoch do not count.
    package mutating func forgetCauses() {
        for index in self.entries.indices {
            guard case .next(let value, let condition, .some) = self.entries[index].event else { continue }
            self.entries[index].event = .next(value, condition: condition, cause: .first)
        }
    }

    /// Another epoch of the daemon knows no send numbers of this line, and counts from `lastApplied`.
    package mutating func boundInNewEpoch(lastApplied: SendNumber) {
        self.lastNumber = max(self.lastUsed, lastApplied)
        for index in self.entries.indices { self.entries[index].number = nil }
    }

    /// Goes on counting in the same epoch; returns the end of the channel if the daemon has applied it.
    ///
    /// A value goes out again under its number, even if later ones were applied: the daemon may have refused it. No send
    /// is behind an end, and an end that wants the disk goes out again to hear of that.
    package mutating func boundAgain(lastApplied: SendNumber) -> Entry? {
        self.lastNumber = max(self.lastNumber, lastApplied)
        guard let first = self.entries.first, let number = first.number, number <= lastApplied, !first.isValue,
            !first.sync
        else { return nil }
        return self.entries.removeFirst()
    }

    /// Gives every entry a send number; no entry has gone out on this connection, so the newest values are enough.
    ///
    /// An entry up to `lastApplied` has an outcome of its own, which the answer of a newer one would hide.
    package mutating func renumber(lastApplied: SendNumber) {
        self.sentCount = 0
        let entries = self.entries
        let judged = entries.prefix { $0.number.map { $0 <= lastApplied } ?? false }.count
        self.entries.removeAll(keepingCapacity: true)
        for var entry in entries {
            self.overwrite(with: &entry, from: judged)
            self.entries.append(entry)
        }
        for index in self.entries.indices where self.entries[index].number == nil {
            self.entries[index].number = self.nextNumber()
        }
    }
}
