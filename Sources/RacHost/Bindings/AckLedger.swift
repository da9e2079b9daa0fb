package import RacProtocol

/// The outcomes of one binding's sends, released in the order of the sends.
///
/// An outcome that asked for the disk is released after its commit; the outcomes behind it wait for their turn. While the
/// client keeps sending, an acknowledgement waits some turns: each is a write to a socket, and a later one answers the same
/// sends.
///
/// Semantics: protocol.md, "Acknowledgements".
package struct AckLedger: Sendable {
    package struct Ack: Equatable, Sendable {
        package var number: SendNumber
        package var revision: Revision
    }

    package enum Outcome: Equatable, Sendable {
        /// Every send up to this one was applied.
        case acknowledged(Ack)
        /// A send changed nothing; the channel kept this valuation.
        case unchanged(SendNumber, Valuation)
        case refused(SendNumber, Refusal)
        /// A send was applied, but the disk did not take the change.
        case notStored(SendNumber)
    }

    private struct Held: Sendable {
        /// Nil for a refusal whose send has come again.
        var outcome: Outcome?
        /// The batch whose commit the outcome waits for; nil if it waits only for its turn.
        var ticket: UInt64?
    }

    /// The number of outcomes for which memory is kept while none waits.
    private static let mostKept = 4

    /// The most bursts of sends that one acknowledgement answers.
    package static let mostBursts: UInt8 = 16

    /// The turns for which an acknowledgement waits behind a burst.
    ///
    /// A client among many sends again some turns later, because a turn has no room for all of them. While all clients
    /// wait for acknowledgements, turns are empty and short.
    package static let patience: UInt8 = 8

    private var ready: Ack?
    /// The bursts that it answers.
    private var bursts: UInt8 = 0
    /// The turns for which it waits for more sends; 0 if the last one came alone.
    private var patience: UInt8 = 0
    private var held: [Held] = []
    /// The places of the held refusals, counted from the first outcome that was ever held.
    private var refusals: [SendNumber: Int] = [:]
    /// The number of outcomes that were held before the present ones.
    private var countBefore = 0

    package init() {}

    /// The number of outcomes that wait for a commit, or for their turn behind one that does.
    package var waiting: Int { self.held.count }

    /// Whether no outcome is left to send, now or later.
    package var isSettled: Bool { self.ready == nil && self.held.isEmpty }

    /// A send was applied; with a ticket it is acknowledged when that batch is on disk.
    package mutating func applied(_ number: SendNumber, as revision: Revision, ticket: UInt64?) {
        let ack = Ack(number: number, revision: revision)
        self.patience = 0
        guard ticket != nil || !self.held.isEmpty else { return self.makeReady(ack) }
        let outcome = Outcome.acknowledged(ack)
        if ticket == nil, case .acknowledged(let last) = self.held.last?.outcome,
            self.held[self.held.count - 1].ticket == nil
        {
            // A repeated send may come behind a later one.
            if last.number <= number { self.held[self.held.count - 1].outcome = outcome }
        } else {
            self.held.append(Held(outcome: outcome, ticket: ticket))
        }
    }

    /// The sends that were applied last came together, as a burst: the client keeps sending.
    package mutating func streams() {
        self.bursts = min(self.bursts + 1, Self.mostBursts)
        self.patience = Self.patience
    }

    /// Whether the acknowledgement waits for another turn; asked once in each.
    package mutating func waitsForMore() -> Bool {
        guard self.patience > 0, self.bursts < Self.mostBursts else { return false }
        self.patience -= 1
        return true
    }

    /// A send was refused.
    ///
    /// Returns the outcomes to send now: the refusal behind the earlier ones, or nothing while an earlier one waits.
    package mutating func refused(_ number: SendNumber, _ refusal: Refusal) -> [Outcome] {
        self.answered(by: .refused(number, refusal), ticket: nil)
    }

    /// A refused send came again, and is judged anew; a refusal that is held is not sent any more.
    ///
    /// Its sender would take it for the answer of the second time.
    package mutating func judged(again number: SendNumber) {
        guard !self.refusals.isEmpty, let place = self.refusals.removeValue(forKey: number) else { return }
        self.held[place - self.countBefore].outcome = nil
    }

    /// A send was accepted and changed nothing; with a ticket the answer waits for that batch.
    ///
    /// The send has an answer of its own: its sender could not tell it from the applied ones in a common
    /// acknowledgement.
    package mutating func unchanged(_ number: SendNumber, _ standing: Valuation, ticket: UInt64?) -> [Outcome] {
        self.answered(by: .unchanged(number, standing), ticket: ticket)
    }

    private mutating func answered(by outcome: Outcome, ticket: UInt64?) -> [Outcome] {
        guard ticket == nil, self.held.isEmpty else {
            if case .refused(let number, _) = outcome { self.refusals[number] = self.countBefore + self.held.count }
            self.held.append(Held(outcome: outcome, ticket: ticket))
            return []
        }
        return self.takeReady() + [outcome]
    }

    /// Every batch up to this one is on disk.
    ///
    /// Returns the refusals whose turn has come; the acknowledgement behind them is for `take`.
    package mutating func committed(through ticket: UInt64) -> [Outcome] {
        self.decide(through: ticket, isStored: true)
    }

    /// The batches up to this one could not be written, which decides the outcomes that waited for them, in order.
    package mutating func failed(through ticket: UInt64) -> [Outcome] {
        self.decide(through: ticket, isStored: false)
    }

    /// The one acknowledgement of all sends that may be acknowledged now.
    package mutating func take() -> Ack? {
        defer { (self.ready, self.bursts, self.patience) = (nil, 0, 0) }
        return self.ready
    }

    private mutating func decide(through ticket: UInt64, isStored: Bool) -> [Outcome] {
        var outcomes: [Outcome] = []
        let undecided = self.held.firstIndex { $0.ticket ?? 0 > ticket } ?? self.held.endIndex
        for index in 0..<undecided {
            let held = self.held[index]
            switch held.outcome {
            case .acknowledged(let ack) where isStored || held.ticket == nil: self.makeReady(ack)
            case .acknowledged(let ack): outcomes += self.takeReady() + [.notStored(ack.number)]
            case .unchanged(let number, _) where !isStored && held.ticket != nil:
                outcomes += self.takeReady() + [.notStored(number)]
            case let outcome?:
                self.forgetRefusal(outcome, at: self.countBefore + index)
                outcomes += self.takeReady() + [outcome]
            case nil: break
            }
        }
        self.countBefore += undecided
        if undecided == self.held.endIndex {
            // The next outcome may come soon and then needs no allocation. A large array is not kept for each binding.
            self.held.removeAll(keepingCapacity: self.held.capacity <= Self.mostKept)
        } else {
            self.held.removeFirst(undecided)
        }
        return outcomes
    }

    private mutating func forgetRefusal(_ outcome: Outcome, at place: Int) {
        guard case .refused(let number, _) = outcome, self.refusals[number] == place else { return }
        self.refusals[number] = nil
    }

    /// A repeated send may come behind a later one.
    private mutating func makeReady(_ ack: Ack) {
        if let ready = self.ready, ready.number > ack.number { return }
        self.ready = ack
    }

    private mutating func takeReady() -> [Outcome] {
        self.take().map { [.acknowledged($0)] } ?? []
    }
}
