import DequeModule
import RacProtocol

/// Everything that waits for a commit: answers of connections, and bindings whose ledgers hold outcomes of sends.
///
/// A decision of the store is carried out over as many turns as it takes: first the answers, then the bindings.
struct CommitWaits {
    /// The fate of all batches up to one.
    struct Decision {
        let ticket: UInt64
        /// The reason why the disk did not take the batches; nil if it did.
        let failure: String?
        /// The number of bindings whose ledgers have yet to be notified; nil before that begins.
        fileprivate var undecided: Int?
    }

    private var answers: Deque<WaitingAnswer> = []
    private var bindings: Deque<Binding> = []
    private var decisions: Deque<Decision> = []

    /// The decision that is being carried out.
    var decision: Decision? { self.decisions.first }

    mutating func add(_ answer: WaitingAnswer) {
        answer.connection.waitingWrites += 1
        if !answer.isToRequest { answer.connection.waitingSends += 1 }
        self.answers.append(answer)
    }

    /// Adds a binding whose ledger has begun to hold outcomes.
    ///
    /// A decision that has begun with the bindings may concern it, so its turn comes before the end of that decision.
    mutating func add(_ binding: Binding) {
        guard let undecided = self.decisions.first?.undecided else { return self.bindings.append(binding) }
        self.bindings.prepend(binding)
        self.decisions[0].undecided = undecided + 1
    }

    /// The store has decided on all batches up to one; a failure has a reason.
    mutating func decided(through ticket: UInt64, failure: String?) {
        self.decisions.append(Decision(ticket: ticket, failure: failure))
    }

    /// A failure that the store has reported before concerns answers that have come since.
    mutating func failed(through ticket: UInt64, _ why: String) {
        // A decision that is still carried out takes them in.
        if let last = self.decisions.last, last.failure != nil, last.ticket >= ticket { return }
        self.decided(through: ticket, failure: why)
    }

    mutating func finishDecision() {
        self.decisions.removeFirst()
    }

    /// The next answer of the decision.
    mutating func nextAnswer(of decision: Decision) -> WaitingAnswer? {
        guard let answer = self.answers.first, answer.ticket <= decision.ticket else { return nil }
        self.answers.removeFirst()
        answer.connection.waitingWrites -= 1
        if !answer.isToRequest { answer.connection.waitingSends -= 1 }
        return answer
    }

    /// The next binding that the decision may concern; it comes after all answers.
    mutating func nextBinding() -> Binding? {
        guard !self.decisions.isEmpty else { return nil }
        let undecided = self.decisions[0].undecided ?? self.bindings.count
        self.decisions[0].undecided = max(0, undecided - 1)
        return undecided > 0 ? self.bindings.popFirst() : nil
    }

    /// A binding was notified of the decision; it stays here while its ledger holds outcomes.
    mutating func decided(_ binding: Binding, before: Int) {
        let waiting = binding.acks.waiting
        binding.connection.waitingWrites += waiting - before
        if waiting > 0 { self.bindings.append(binding) }
    }
}

/// An answer that waits for a commit.
struct WaitingAnswer {
    enum Content {
        case reply(RequestID, Reply)
        /// Answers a send of a terminal to which the connection is no longer bound.
        case acknowledgement(TerminalID, SendNumber, Revision)
        case refusal(TerminalID, SendNumber, Refusal)
    }

    let ticket: UInt64
    let connection: HostedConnection
    let content: Content
    /// Whether the answer asked for the disk itself; otherwise it waits for its turn behind one that did.
    let wantsDisk: Bool

    var isToRequest: Bool { if case .reply = self.content { true } else { false } }
}

extension WaitingAnswer.Content {
    var message: ServerMessage {
        switch self {
        case .reply(let id, let reply): .reply(id, reply)
        case .acknowledgement(let terminal, let number, let revision): .ack(terminal, number, revision)
        case .refusal(let terminal, let number, let refusal): .nak(terminal, number, refusal)
        }
    }

    /// The message instead of this one if the disk does not take the change.
    func message(unstored error: WireError) -> ServerMessage {
        switch self {
        case .reply(let id, _): .refused(id, Refusal(unstored: error))
        case .acknowledgement(let terminal, let number, _): .nak(terminal, number, Refusal(unstored: error))
        case .refusal: self.message
        }
    }
}
