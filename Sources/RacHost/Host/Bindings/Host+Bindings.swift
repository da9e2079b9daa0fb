import RacProtocol

extension Host {
    func bind(_ bind: Bind, _ id: RequestID, _ connection: HostedConnection) {
        guard let channel = self.bindable(bind, id, connection) else { return }
        let side = channel.side(bind.role)
        let earlier = connection.departing[side.terminal]
        guard connection.binding(side.terminal) == nil else {
            let what = "this connection is bound to \(bind.channel), \(bind.role.rawValue), already"
            return self.refuse(id, connection, .alreadyBound, what)
        }
        guard let will = self.kept(bind, connection) else {
            self.forgetIfUnused(channel)
            return self.refuse(id, connection, .limit, self.noPlaceForWill)
        }
        if let value = bind.defaultValue, channel.machine.record.value == nil {
            if case .refused(let refusal) = self.write(value, on: channel, from: .leading),
                refusal.error.code != ErrorCode.terminated.rawValue
            {
                self.forgetIfUnused(channel)
                return self.say(.refused(id, refusal), to: connection)
            }
        }
        // The last frames of an earlier binding come before the answer to the new one, even if the channel is a new
        // one.
        for departing in connection.departing.bindings(to: bind.channel) where departing.side.role == bind.role {
            departing.drain()
            departing.sayAck()
            departing.settle()
        }
        self.work.spend(Work.binding)
        let was = self.goOn(bind, in: side, connection.session)
        self.say(.reply(id, .bound(self.answer(to: bind, was, channel, side, connection))), to: connection)
        switch channel.machine.record.state {
        case .open: self.attach(bind, will, channel, side, connection, after: earlier)
        case .completed: self.say(.ended(side.terminal, .completed, channel.machine.record.revision), to: connection)
        case .failed(let error):
            self.say(.ended(side.terminal, .failed(error), channel.machine.record.revision), to: connection)
        }
    }

    /// The channel to bind to; nil if the request was refused here.
    private func bindable(_ bind: Bind, _ id: RequestID, _ connection: HostedConnection) -> HostedChannel? {
        if let error = self.objection(toSubscribing: connection) {
            self.refuse(id, connection, error)
            return nil
        }
        guard self.mayWrite(bind.channel, connection) else {
            guard bind.defaultValue == nil, bind.will == nil else {
                self.say(.refused(id, Refusal(self.notWritten(bind.channel))), to: connection)
                return nil
            }
            guard let channel = self.directory[bind.channel] else {
                self.refuse(id, connection, .noSuchChannel, "the daemon has no channel \(bind.channel)")
                return nil
            }
            return channel
        }
        guard let channel = self.channel(bind.channel) else {
            self.refuse(id, connection, .limit, "the daemon may have \(self.limits.channels) channels")
            return nil
        }
        return channel
    }

    /// The will of a binding, kept in its accounts; it may be none.
    private struct KeptWill {
        var will: Kept<Will>?
    }

    /// Nil if there is no place for the will.
    private func kept(_ bind: Bind, _ connection: HostedConnection) -> KeptWill? {
        guard let will = bind.will else { return KeptWill() }
        return Kept(will, bytes: will.byteCount, in: connection.kept, self.wills).map { KeptWill(will: $0) }
    }

    private var noPlaceForWill: String {
        "the wills of a connection may have \(self.limits.bytesPerConnection) bytes together with what it has not read, "
            + "and all wills \(self.limits.willBytes)"
    }

    /// Lets the numbers of a terminal whose channel is gone go on in the terminal that is bound now.
    ///
    /// - Returns: The earlier terminal; nil if there is none, or its channel is still there.
    private func goOn(_ bind: Bind, in side: Side, _ session: Session) -> TerminalID? {
        guard let was = bind.was, was != side.terminal else { return nil }
        let (number, role) = HostedChannel.place(of: was)
        guard role == bind.role, self.directory.hadChannel(number), self.directory[number] == nil else { return nil }
        return session.goOn(from: was, in: side.terminal) ? was : nil
    }

    private func answer(
        to bind: Bind,
        _ was: TerminalID?,
        _ channel: HostedChannel,
        _ side: Side,
        _ connection: HostedConnection
    ) -> Bound {
        let machine = channel.machine
        let shown = machine.shown(to: bind.role)
        let replays = bind.replay ?? (bind.role == .following || bind.since != nil)
        let isNews = replays && bind.since != shown?.revision
        return Bound(
            terminal: side.terminal,
            was: was,
            revision: shown?.revision ?? .never,
            state: machine.record.state.word,
            mode: machine.record.mode,
            lastApplied: connection.session.lastApplied(side.terminal),
            sent: machine.record.mode == .paired ? machine.sent(by: bind.role)?.revision ?? Revision.never : nil,
            value: isNews ? shown?.value : nil,
            cause: isNews ? shown?.cause : nil
        )
    }

    private func attach(
        _ bind: Bind,
        _ will: KeptWill,
        _ channel: HostedChannel,
        _ side: Side,
        _ connection: HostedConnection,
        after earlier: Binding?
    ) {
        let delivery: Who.Delivery =
            if let interval = bind.interval, interval > 0 {
                .paced(interval: interval)
            } else if bind.conflate ?? (channel.machine.record.mode == .shared) {
                .newest
            } else {
                .every
            }
        let binding = Binding(
            connection: connection,
            channel: channel,
            side: side,
            delivery: delivery,
            will: will.will,
            maySend: self.maySend(to: channel, as: bind.role, connection)
        )
        connection.add(binding)
        side.add(binding)
        guard let earlier else { return }
        binding.takeOver(earlier)
        if binding.acks.waiting > 0 { self.waits.add(binding) }
    }

    func unbind(_ terminal: TerminalID, _ id: RequestID, _ connection: HostedConnection) {
        guard let binding = connection.binding(terminal) else {
            return self.refuse(id, connection, .notBound, "this connection is not bound to terminal \(terminal)")
        }
        self.detach(binding)
        binding.leave()
        self.say(.reply(id, .done), to: connection)
    }

    /// Takes a binding from its side, and drops a channel that was only there to be bound to.
    func detach(_ binding: Binding) {
        binding.side.remove(binding)
        self.forget(binding)
        self.forgetIfUnused(binding.channel)
    }

    /// Takes a binding from its connection; the session remembers the last applied send.
    func forget(_ binding: Binding) {
        let connection = binding.connection
        self.work.spend(Work.binding)
        connection.remove(binding)
        binding.isOver = true
        if binding.isPaused { self.deadlines.noteOver() }
        // A client may resend sends of a binding that lasted to the end of the connection, so its terminal is not
        // trimmed.
        if connection.phase != .gone { self.trim(connection.session) }
        connection.session.remember(binding.lastApplied, of: binding.terminal, refused: binding.refused)
    }

    /// Makes room in a session with too many terminals: first those of removed channels go, then, if too few, all.
    private func trim(_ session: Session) {
        guard session.count >= self.limits.terminalsPerSession else { return }
        session.keep { self.directory[HostedChannel.place(of: $0).number] != nil }
        if session.count > self.limits.terminalsPerSession / 2 { session.keep { _ in false } }
    }
}
