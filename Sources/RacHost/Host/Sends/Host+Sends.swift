import RacAccess
import RacProtocol

extension Host {
    func send(_ send: Send, _ connection: HostedConnection) {
        guard let binding = connection.binding(send.terminal) else {
            return self.refuseUnbound(send, connection)
        }
        guard send.number > binding.lastApplied else { return self.answerAgain(send, binding) }
        if let error = binding.refused?.error(for: send.number, refusedOn: connection.id) {
            return self.refuseAgain(send.number, binding, error)
        }
        binding.refused?.judged(again: send.number)
        binding.acks.judged(again: send.number)
        if let error = self.objection(to: send, binding) { return self.nak(send.number, binding, Refusal(error)) }
        switch send.event {
        case .next(let value, let condition, let cause):
            let outcome = self.write(
                value,
                on: binding.channel,
                from: binding.side.role,
                sender: binding,
                condition: condition,
                cause: cause,
                sync: send.sync
            )
            self.answer(send, binding, outcome)
        case .end(let end):
            let outcome = self.finish(binding.channel, end, sync: send.sync)
            self.answer(send, binding, outcome)
            if case .applied(let revision) = outcome { self.release(binding.channel, end, as: revision) }
        }
    }

    /// The error for a send that is refused whatever its event.
    private func objection(to send: Send, _ binding: Binding) -> WireError? {
        if let error = self.objection(to: send.event, binding) { return error }
        // A send without `sync` counts too while an earlier one waits: its answer has to wait behind that one's.
        guard send.sync || binding.acks.waiting > 0 else { return nil }
        return binding.connection.waitingWrites < self.limits.requestsInFlight ? nil : self.tooManyWrites
    }

    var tooManyWrites: WireError {
        WireError(.limit, "\(self.limits.requestsInFlight) writes wait for the disk already")
    }

    private func answer(_ send: Send, _ binding: Binding, _ outcome: ChangeOutcome) {
        switch outcome {
        case .applied(let revision):
            binding.lastApplied = send.number
            self.acknowledge(send.number, as: revision, binding, sync: send.sync)
        case .unchanged(let standing):
            binding.lastApplied = send.number
            let ticket = send.sync ? self.awaitDisk() : nil
            self.answer(binding) { $0.unchanged(send.number, standing, ticket: ticket) }
        case .refused(let refusal): self.nak(send.number, binding, refusal)
        }
    }

    func acknowledge(_ number: SendNumber, as revision: Revision, _ binding: Binding, sync: Bool) {
        let ticket = sync ? self.awaitDisk() : nil
        self.enter(binding) { $0.applied(number, as: revision, ticket: ticket) }
    }

    /// Answers a send again that is not above the last applied one.
    ///
    /// A send that was applied is acknowledged with the channel's present revision. Only this send: later ones may ask for
    /// the disk, and their sender repeats them to learn of that.
    private func answerAgain(_ send: Send, _ binding: Binding) {
        if let error = binding.refused?.error(for: send.number) { return self.refuseAgain(send.number, binding, error) }
        let present = self.standing(of: binding.channel, binding.side.role, binding.connection)
        self.acknowledge(send.number, as: present?.revision ?? .never, binding, sync: send.sync)
        self.endIfTooMuchWaits(binding.connection)
    }

    private func refuseAgain(_ number: SendNumber, _ binding: Binding, _ error: WireError) {
        let present = self.standing(of: binding.channel, binding.side.role, binding.connection)
        let again = self.told(error.refusal(standing: present), to: binding)
        self.answer(binding) { $0.refused(number, again) }
    }

    /// The valuation that a side sent last; nil also for a client that may not know it.
    private func standing(of channel: HostedChannel?, _ role: Role, _ connection: HostedConnection) -> Valuation? {
        channel.flatMap { self.maySee($0, as: role, connection) ? $0.machine.sent(by: role) : nil }
    }

    /// Refuses a send that is no valid message, in the order of the sends.
    func refuse(_ number: SendNumber, of terminal: TerminalID, _ error: WireError, _ connection: HostedConnection) {
        guard let binding = connection.binding(terminal) else {
            return self.answerUnbound(.refusal(terminal, number, Refusal(error)), sync: false, connection)
        }
        self.nak(number, binding, Refusal(error))
    }

    private func nak(_ number: SendNumber, _ binding: Binding, _ refusal: Refusal) {
        let account = self.refusals.account(of: binding.connection.session.owner)
        binding.remember(refused: number, refusal.error.code, self.limits, account)
        self.noteLimit(refusal.error, of: binding.connection)
        let told = self.told(refusal, to: binding)
        self.answer(binding) { $0.refused(number, told) }
    }

    /// The refusal with the channel's valuation, for a leading client that may not read and so cannot ask for it.
    private func told(_ refusal: Refusal, to binding: Binding) -> Refusal {
        let (channel, role, connection) = (binding.channel, binding.side.role, binding.connection)
        let cannotAsk = connection.rights?.allows(.read, channel.name) == false
        let tellsNothing = [ErrorCode.forbidden.rawValue, ErrorCode.notBound.rawValue].contains(refusal.error.code)
        guard cannotAsk, refusal.revision == nil, !tellsNothing, self.maySee(channel, as: role, connection) else {
            return refusal
        }
        return Refusal(refusal.error, standing: channel.machine.sent(by: role))
    }

    /// Answers one send by itself, behind the earlier answers.
    private func answer(_ binding: Binding, _ event: (inout AckLedger) -> [AckLedger.Outcome]) {
        var outcomes: [AckLedger.Outcome] = []
        self.enter(binding) { outcomes = event(&$0) }
        self.tell(outcomes, of: binding)
        self.endIfTooMuchWaits(binding.connection)
    }

    /// Limits the answers that wait behind a commit: a client that keeps sending must not fill the memory with them.
    private func endIfTooMuchWaits(_ connection: HostedConnection) {
        guard connection.waitingWrites >= 2 * self.limits.requestsInFlight else { return }
        self.evict(connection, because: self.tooManyWrites)
    }

    /// Enters the outcome of a send into the binding's ledger, which releases it in time.
    private func enter(_ binding: Binding, _ event: (inout AckLedger) -> Void) {
        let waiting = binding.acks.waiting
        event(&binding.acks)
        binding.connection.waitingWrites += binding.acks.waiting - waiting
        if binding.acks.waiting == 0 {
            self.tick.acknowledge(binding)
        } else if waiting == 0 {
            self.waits.add(binding)
        }
    }

    private func refuseUnbound(_ send: Send, _ connection: HostedConnection) {
        let refusal = self.refusal(ofUnbound: send, connection)
        if let earlier = connection.departing[send.terminal] {
            // The last frames of the binding that ended come first.
            earlier.drain()
            return send.number > earlier.lastApplied
                ? self.nak(send.number, earlier, refusal) : self.answerAgain(send, earlier)
        }
        guard send.number <= connection.session.lastApplied(send.terminal) else {
            return self.answerUnbound(.refusal(send.terminal, send.number, refusal), sync: false, connection)
        }
        let (number, role) = HostedChannel.place(of: send.terminal)
        let present = self.standing(of: self.directory[number], role, connection)
        if let error = connection.session.refusedSends(send.terminal)?.error(for: send.number) {
            let again = error.refusal(standing: present)
            return self.answerUnbound(.refusal(send.terminal, send.number, again), sync: false, connection)
        }
        let revision = present?.revision ?? .never
        let acknowledgement = WaitingAnswer.Content.acknowledgement(send.terminal, send.number, revision)
        self.answerUnbound(acknowledgement, sync: send.sync, connection)
    }

    /// Answers a send without a binding: after the commit of the applied value, and behind the answers that wait
    /// already.
    private func answerUnbound(_ answer: WaitingAnswer.Content, sync: Bool, _ connection: HostedConnection) {
        guard sync || connection.waitingSends > 0, let ticket = self.awaitDisk() else {
            return self.say(answer.message, to: connection)
        }
        self.waits.add(WaitingAnswer(ticket: ticket, connection: connection, content: answer, wantsDisk: sync))
        self.endIfTooMuchWaits(connection)
    }

    /// A channel that the client may not know is refused like one that does not exist.
    private func refusal(ofUnbound send: Send, _ connection: HostedConnection) -> Refusal {
        let (number, role) = HostedChannel.place(of: send.terminal)
        let channel = self.directory[number]
        let notBound = Refusal(WireError(.notBound, "this connection is not bound to terminal \(send.terminal)"))
        if let channel, !self.maySee(channel, as: role, connection) { return notBound }
        let verdict = channel?.machine.judgeValue(from: role, condition: nil, cause: nil)
        if case .refused(let refusal) = verdict { return refusal }
        if verdict == nil, self.directory.hadChannel(number) {
            let error = WireError(.terminated, "the channel was deleted or forgotten: bind again to have a new one")
            return Refusal(error, standing: nil)
        }
        return notBound
    }
}

extension WireError {
    /// The refusal of a send that was refused before; it has the channel's valuation as the first one had.
    fileprivate func refusal(standing: Valuation?) -> Refusal {
        switch self.code {
        case ErrorCode.conflict.rawValue, ErrorCode.terminated.rawValue: Refusal(self, standing: standing)
        default: Refusal(self)
        }
    }
}
