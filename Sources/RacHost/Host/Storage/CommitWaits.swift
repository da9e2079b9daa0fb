import DequeModule
import RacProtocol

/// Everything that waits for a commit: answers of connections, and bindings whose ledgers hold outcomes of sends.
struct CommitWaits {
    private var answers: Deque<WaitingAnswer> = []
    private var bindings: [Binding] = []

    mutating func add(_ answer: WaitingAnswer) {
        answer.connection.waitingWrites += 1
        if !answer.isToRequest { answer.connection.waitingSends += 1 }
        self.answers.append(answer)
    }

    /// Adds a binding whose ledger has begun to hold outcomes.
    mutating func add(_ binding: Binding) {
        self.bindings.append(binding)
    }

    /// The next answer that waited for this commit or an earlier one.
    mutating func nextAnswer(through ticket: UInt64) -> WaitingAnswer? {
        guard !self.answers.isEmpty, self.answers[0].ticket <= ticket else { return nil }
        let answer = self.answers.removeFirst()
        answer.connection.waitingWrites -= 1
        if !answer.isToRequest { answer.connection.waitingSends -= 1 }
        return answer
    }

    /// Calls the closure with each binding, which stays here while its ledger holds outcomes.
    mutating func decideBindings(_ decide: (Binding) -> Void) {
        self.bindings.removeAll { binding in
            let waiting = binding.acks.waiting
            decide(binding)
            binding.connection.waitingWrites += binding.acks.waiting - waiting
            return binding.acks.waiting == 0
        }
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
