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
    }

    private struct Entry {
        let number: SendNumber
        let fate: Fate
        /// Whether the answer may tell the channel's present revision.
        var isRepeated: Bool
        /// The batch that must be on the disk before the acknowledgement; nil if the send asked for none.
        let ticket: BatchTicket?
    }

    private var open: Deque<Entry> = []
    /// Sends that went out again on this connection before their answer, and so may be answered twice.
    private var twice: Set<SendNumber> = []

    /// The daemon has decided about a send.
    mutating func decided(_ number: SendNumber, _ fate: Fate, isRepeated: Bool, ticket: BatchTicket?) {
        if isRepeated, let place = self.open.firstIndex(where: { $0.number == number }) {
            // Both answers may come as one.
            self.open[place].isRepeated = true
            self.twice.insert(number)
            return
        }
        self.open.append(Entry(number: number, fate: fate, isRepeated: isRepeated, ticket: ticket))
    }

    /// Whether the answer to that send tells the channel's present revision, and not that of the send.
    func repeats(_ number: SendNumber) -> Bool {
        self.open.first { $0.number == number }?.isRepeated ?? false
    }

    /// The client got an acknowledgement; returns the batches that it promises to be on the disk.
    mutating func acknowledged(
        _ number: SendNumber,
        as revision: Revision,
        _ name: String
    ) throws(Violation) -> [BatchTicket] {
        var promised: [BatchTicket] = []
        var last: Entry?
        while let entry = self.open.first, entry.number <= number {
            try hold(.rights, entry.fate != .forbidden) {
                "\(name) got its send \(entry.number.number) acknowledged, which its rules forbid"
            }
            try hold(.answers, entry.fate != .refused) {
                "\(name) got its send \(entry.number.number) acknowledged, which was not applied"
            }
            self.open.removeFirst()
            if let ticket = entry.ticket { promised.append(ticket) }
            last = entry
        }
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
        if self.open.first?.number != number, self.twice.remove(number) != nil { return }
        guard let first = self.open.popFirst() else {
            throw Violation(.answers, "\(name) got a refusal of \(number.number) for nothing")
        }
        try hold(.answers, first.number == number) {
            "\(name) got a refusal of \(number.number) before the answer to \(first.number.number)"
        }
        let isUnstored = refusal.error.code == ErrorCode.storage.rawValue && first.ticket != nil
        try self.checkReason(refusal, of: first, name)
        try hold(.answers, first.fate == .refused || first.fate == .forbidden || isUnstored) {
            "\(name) got a refusal of \(number.number), which was \(first.fate): \(refusal.error.code)"
        }
    }

    private static let codesOfUnbound: Set = [ErrorCode.notBound.rawValue, ErrorCode.terminated.rawValue]

    /// A send is refused as forbidden if the rules do not grant it, and then without a fact.
    private func checkReason(_ refusal: Refusal, of send: Entry, _ name: String) throws(Violation) {
        let isForbidden = refusal.error.code == ErrorCode.forbidden.rawValue
        guard send.fate == .forbidden else {
            // A send that was refused before is refused again for the same reason.
            let isRefusedAgain = send.isRepeated && send.fate == .refused
            return try hold(.standing, !isForbidden || isRefusedAgain) {
                "\(name) was forbidden its send \(send.number.number), which its rules grant"
            }
        }
        // The daemon may have ended the binding as too slow before.
        guard isForbidden || Self.codesOfUnbound.contains(refusal.error.code) else {
            let what = "\(name) got \(refusal.error.code) for its send \(send.number.number), which its rules forbid"
            throw Violation(.rights, what)
        }
        try hold(.secrets, !isForbidden || (refusal.revision == nil && refusal.value == nil)) {
            "\(name) was told facts with the refusal of \(send.number.number), which its rules forbid"
        }
    }

    func checkRest(_ name: String) throws(Violation) {
        guard let first = self.open.first else { return }
        throw Violation(.answers, "\(name) got no answer to its send \(first.number.number)")
    }
}

/// The number of a batch of one daemon.
typealias BatchTicket = UInt64
