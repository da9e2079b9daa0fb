import DequeModule
import RacProtocol

/// The answers that are due to the sends of one terminal on one connection.
struct SendWitness {
    enum Fate: Equatable {
        case applied(Revision)
        /// The send counts as applied without a change: it was applied before, or its cause is too old.
        case done(Revision)
        case refused
        /// The rules do not grant the send.
        case forbidden

        var isRefusal: Bool { self == .refused || self == .forbidden }
    }

    private struct Entry {
        let number: SendNumber
        let fate: Fate
        /// Whether the answer may have the channel's present revision.
        var isRepeated: Bool
        /// The batch that must be on the disk before the acknowledgement; nil if the send asked for none.
        let ticket: BatchTicket?
        /// Whether the daemon has refused the send before, and may refuse it again for the same reason.
        let isRefusedAgain: Bool
        /// Whether the answer need not come: the daemon drops a refusal that it holds when the send comes again.
        var isDroppable = false
    }

    private var open: Deque<Entry> = []
    /// Sends that went out again on this connection before their answer, and so may be answered twice.
    private var twice: Set<SendNumber> = []

    /// The daemon has decided about a send.
    mutating func decided(
        _ number: SendNumber,
        _ fate: Fate,
        isRepeated: Bool,
        isRefusedAgain: Bool,
        ticket: BatchTicket?
    ) {
        if let place = self.open.lastIndex(where: { $0.number == number }) {
            if isRepeated {
                // Both answers may come as one.
                self.open[place].isRepeated = true
                self.twice.insert(number)
                return
            }
            if self.open[place].fate.isRefusal { self.open[place].isDroppable = true }
        }
        let entry = Entry(
            number: number,
            fate: fate,
            isRepeated: isRepeated,
            ticket: ticket,
            isRefusedAgain: isRefusedAgain
        )
        self.open.append(entry)
    }

    /// Whether the answer to that send has the channel's present revision, and not that of the send.
    func repeats(_ number: SendNumber) -> Bool {
        self.open.last { $0.number == number }?.isRepeated ?? false
    }

    /// The client got an acknowledgement; returns the batches that it promises to be on the disk.
    mutating func acknowledged(
        _ number: SendNumber,
        as revision: Revision,
        _ name: String
    ) throws(Violation) -> [BatchTicket] {
        var promised: [BatchTicket] = []
        var last: Entry?
        var answered = 0
        for (place, entry) in self.open.enumerated() where !entry.isDroppable {
            guard entry.number <= number else { break }
            try hold(.rights, entry.fate != .forbidden) {
                "\(name) got its send \(entry.number.number) acknowledged, which its rules forbid"
            }
            try hold(.answers, entry.fate != .refused) {
                "\(name) got its send \(entry.number.number) acknowledged, which was not applied"
            }
            if let ticket = entry.ticket { promised.append(ticket) }
            last = entry
            answered = place + 1
        }
        self.open.removeFirst(answered)
        if last == nil, self.twice.remove(number) != nil { return [] }
        guard let last else {
            throw Violation(.answers, "\(name) got an acknowledgement of \(number.number) for nothing")
        }
        // A repeated send is acknowledged with the revision of the present value.
        let isRightRevision = last.isRepeated || last.fate == .applied(revision) || last.fate == .done(revision)
        let isRight = last.number == number && isRightRevision
        try hold(.answers, isRight) {
            "\(name) got \(number.number) acknowledged as \(revision), but \(last.number.number) is \(last.fate)"
        }
        return promised
    }

    mutating func refused(_ number: SendNumber, _ refusal: Refusal, _ name: String) throws(Violation) {
        if refusal.isApplied { self.open.removeAll { $0.isDroppable && $0.number == number } }
        let due = self.open.firstIndex { !$0.isDroppable || $0.number == number }
        if due.map({ self.open[$0].number }) != number, self.twice.remove(number) != nil { return }
        guard let due else {
            throw Violation(.answers, "\(name) got a refusal of \(number.number) for nothing")
        }
        let first = self.open[due]
        try hold(.answers, first.number == number) {
            "\(name) got a refusal of \(number.number) before the answer to \(first.number.number)"
        }
        self.open.removeFirst(due + 1)
        let send = self.refusedAgain(first, refusal) ?? first
        let isUnstored = refusal.error.code == ErrorCode.storage.rawValue && send.ticket != nil
        try self.checkReason(refusal, of: send, name)
        try hold(.answers, send.fate.isRefusal || isUnstored) {
            "\(name) got a refusal of \(number.number), which was \(send.fate): \(refusal.error.code)"
        }
    }

    /// The second refusal of a send, where the first may have been dropped and the reason fits.
    ///
    /// One answer to both is enough then.
    private mutating func refusedAgain(_ first: Entry, _ refusal: Refusal) -> Entry? {
        let isSecond = { (entry: Entry) in entry.number == first.number && entry.fate.isRefusal }
        guard first.isDroppable, let place = self.open.firstIndex(where: isSecond) else { return nil }
        self.open[place].isDroppable = true
        let isForbidden = refusal.error.code == ErrorCode.forbidden.rawValue
        return isForbidden == (self.open[place].fate == .forbidden) ? self.open[place] : nil
    }

    private static let codesOfUnbound: Set = [ErrorCode.notBound.rawValue, ErrorCode.terminated.rawValue]

    /// A send is refused as forbidden if the rules do not grant it, and then without a fact.
    private func checkReason(_ refusal: Refusal, of send: Entry, _ name: String) throws(Violation) {
        let isForbidden = refusal.error.code == ErrorCode.forbidden.rawValue
        guard send.fate == .forbidden else {
            return try hold(.standing, !isForbidden || send.isRefusedAgain) {
                "\(name) was forbidden its send \(send.number.number), which its rules grant"
            }
        }
        // The daemon may have ended the binding as too slow before.
        guard isForbidden || send.isRefusedAgain || Self.codesOfUnbound.contains(refusal.error.code) else {
            let what = "\(name) got \(refusal.error.code) for its send \(send.number.number), which its rules forbid"
            throw Violation(.rights, what)
        }
        try hold(.secrets, !isForbidden || (refusal.revision == nil && refusal.value == nil)) {
            "\(name) was told facts with the refusal of \(send.number.number), which its rules forbid"
        }
    }

    func checkRest(_ name: String) throws(Violation) {
        guard let first = self.open.first(where: { !$0.isDroppable }) else { return }
        throw Violation(.answers, "\(name) got no answer to its send \(first.number.number)")
    }
}

/// The number of a batch of one daemon.
typealias BatchTicket = UInt64
