import RacProtocol

extension Host {
    /// Every batch up to this one is on disk.
    package func committed(through ticket: UInt64) {
        self.waits.decided(through: ticket, failure: nil)
        self.answerDecided(within: self.work.room)
    }

    /// The batches up to this one could not be written; the store keeps them and tries again.
    package func failing(_ why: String, through ticket: UInt64) {
        self.storage.failing(why, through: ticket)
        self.refreshStorageFigure()
        self.waits.decided(through: ticket, failure: why)
        self.answerDecided(within: self.work.room)
    }

    /// The ticket for an answer that waits for the disk; nil if all changes are on disk, or nothing is stored.
    ///
    /// The store reports a failure once. An answer that begins to wait for a failed batch gets the failure in this turn.
    func awaitDisk() -> UInt64? {
        guard let ticket = self.storage.awaitOutstanding() else { return nil }
        if let why = self.storage.failure(of: ticket) { self.waits.failed(through: ticket, why) }
        return ticket
    }

    /// Answers what waited for the decisions of the store, which have a part of each turn for themselves.
    func answerDecided() {
        guard self.waits.decision != nil else { return }
        self.answerDecided(within: max(self.work.room, self.limits.unitsPerTurn / 4))
    }

    /// Answers in the order of the decisions until the units are spent.
    private func answerDecided(within units: Int) {
        var units = units
        while let decision = self.waits.decision {
            while let answer = self.waits.nextAnswer(of: decision) {
                self.say(answer, decision)
                guard self.spend(Work.answer, of: &units) else { return }
            }
            while let binding = self.waits.nextBinding() {
                let waiting = binding.acks.waiting
                self.decide(binding, decision)
                self.waits.decided(binding, before: waiting)
                guard self.spend(Work.answer * (1 + waiting), of: &units) else { return }
            }
            // A change that is asked for before that waits behind these answers, although it is on disk.
            if decision.failure == nil { self.storage.committed(through: decision.ticket) }
            self.waits.finishDecision()
        }
    }

    private func spend(_ cost: Int, of units: inout Int) -> Bool {
        self.work.spend(cost)
        units -= cost
        return units > 0
    }

    private func say(_ answer: WaitingAnswer, _ decision: CommitWaits.Decision) {
        guard let why = decision.failure, answer.wantsDisk else {
            return self.say(answer.content.message, to: answer.connection)
        }
        self.say(answer.content.message(unstored: self.notStored(why)), to: answer.connection)
    }

    private func decide(_ binding: Binding, _ decision: CommitWaits.Decision) {
        if let why = decision.failure {
            self.tell(binding.acks.failed(through: decision.ticket), of: binding, because: why)
        } else {
            self.tell(binding.acks.committed(through: decision.ticket), of: binding)
        }
        self.tick.acknowledge(binding)
    }

    /// Sends a sender the outcomes of its sends, in order.
    func tell(_ outcomes: [AckLedger.Outcome], of binding: Binding, because why: String = "") {
        guard !outcomes.isEmpty else { return }
        for outcome in outcomes { binding.say(self.message(outcome, binding, why)) }
        self.tick.list(binding.connection)
        if binding.isSlow { self.touch(binding.side) }
    }

    private func message(_ outcome: AckLedger.Outcome, _ binding: Binding, _ why: String) -> ServerMessage {
        switch outcome {
        case .acknowledged(let ack): return .ack(binding.terminal, ack.number, ack.revision)
        case .unchanged(let number, let standing): return .unchanged(binding.terminal, number, standing)
        case .refused(let number, let refusal): return .nak(binding.terminal, number, refusal)
        case .notStored(let number):
            let (channel, role) = (binding.channel, binding.side.role)
            var refusal = Refusal(self.notStored(why))
            if self.maySee(channel, as: role, binding.connection) {
                refusal = Refusal(self.notStored(why), standing: channel.machine.sent(by: role))
            }
            refusal.isApplied = true
            return .nak(binding.terminal, number, refusal)
        }
    }

    private func notStored(_ why: String) -> WireError {
        WireError(.storage, "applied, but not on disk yet: \(why); it is written as soon as the disk takes it")
    }
}
