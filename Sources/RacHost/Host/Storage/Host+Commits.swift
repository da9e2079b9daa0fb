import RacProtocol

extension Host {
    /// Every batch up to this one is on disk.
    package func committed(through ticket: UInt64) {
        self.storage.committed(through: ticket)
        while let waiting = self.waits.nextAnswer(through: ticket) {
            self.say(waiting.content.message, to: waiting.connection)
        }
        self.decideAcks(because: "") { $0.committed(through: ticket) }
    }

    /// The batches up to this one could not be written; the store keeps them and tries again.
    package func failing(_ why: String, through ticket: UInt64) {
        self.storage.failing(why)
        let error = self.notStored(why)
        while let waiting = self.waits.nextAnswer(through: ticket) {
            let message = waiting.wantsDisk ? waiting.content.message(unstored: error) : waiting.content.message
            self.say(message, to: waiting.connection)
        }
        self.decideAcks(because: why) { $0.failed(through: ticket) }
    }

    private func decideAcks(because why: String, _ decide: (inout AckLedger) -> [AckLedger.Outcome]) {
        self.waits.decideBindings { binding in
            self.tell(decide(&binding.acks), of: binding, because: why)
            self.tick.acknowledge(binding)
        }
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
            let present = binding.channel.machine.sent(by: binding.side.role)
            var refusal = Refusal(self.notStored(why), standing: present)
            refusal.isApplied = true
            return .nak(binding.terminal, number, refusal)
        }
    }

    private func notStored(_ why: String) -> WireError {
        WireError(.storage, "applied, but not on disk yet: \(why); it is written as soon as the disk takes it")
    }
}
