import RacProtocol

extension Host {
    func send(_ send: Send, _ connection: HostedConnection) {
        guard let binding = connection.bindings[send.terminal] else {
            return self.refuseUnbound(send, connection)
        }
        guard send.number > binding.lastApplied else { return self.acknowledgeAgain(send, binding) }
        guard !send.sync || binding.acks.waiting < self.limits.requestsInFlight else {
            let what = "\(self.limits.requestsInFlight) sends wait for the disk already"
            return self.nak(send, connection, Refusal(WireError(.limit, what)))
        }
        switch send.event {
        case .next(let value, let condition, let cause):
            let outcome = self.write(
                value,
                on: binding.side.channel,
                from: binding.side.role,
                sender: binding,
                condition: condition,
                cause: cause,
                sync: send.sync
            )
            self.answer(send, binding, outcome)
        case .end(let end):
            let channel = binding.side.channel
            let outcome = self.finish(channel, end, sync: send.sync)
            self.answer(send, binding, outcome)
            if case .applied(let revision) = outcome { self.release(channel, end, as: revision) }
        }
    }

    private func answer(_ send: Send, _ binding: Binding, _ outcome: Outcome) {
        switch outcome {
        case .applied(let revision), .unchanged(let revision):
            binding.lastApplied = send.number
            self.acknowledge(send.number, as: revision, binding, sync: send.sync)
        case .refused(let refusal):
            if let ack = binding.acks.take() { binding.say(ack) }
            self.nak(send, binding.connection, refusal)
        }
    }

    private func acknowledge(_ number: SendNumber, as revision: Revision, _ binding: Binding, sync: Bool) {
        let wasWaiting = binding.acks.waiting > 0
        binding.acks.applied(number, as: revision, ticket: sync ? self.storage.outstanding : nil)
        if binding.acks.waiting == 0 {
            self.listForAck(binding)
        } else if !wasWaiting {
            self.waitingAcks.append(binding)
        }
    }

    /// A send that was applied before is acknowledged with how the channel is now.
    private func acknowledgeAgain(_ send: Send, _ binding: Binding) {
        let shown = binding.side.channel.machine.sent(by: binding.side.role)
        self.acknowledge(binding.lastApplied, as: shown?.revision ?? .none, binding, sync: send.sync)
    }

    private func refuseUnbound(_ send: Send, _ connection: HostedConnection) {
        let (number, role) = HostedChannel.place(of: send.terminal)
        let machine = self.directory[number: number]?.machine
        if send.number <= connection.session.lastApplied(send.terminal) {
            let revision = machine?.sent(by: role)?.revision ?? .none
            return self.say(.ack(send.terminal, send.number, revision), to: connection)
        }
        if let machine, case .refused(let refusal) = machine.judgeEnd() {
            return self.nak(send, connection, refusal)
        }
        let error = WireError(.notBound, "this connection is not bound to terminal \(send.terminal)")
        self.nak(send, connection, Refusal(error))
    }

    private func nak(_ send: Send, _ connection: HostedConnection, _ refusal: Refusal) {
        self.say(.nak(send.terminal, send.number, refusal), to: connection)
    }
}
