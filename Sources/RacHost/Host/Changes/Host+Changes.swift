import RacProtocol

extension Host {
    /// Judges a value by all rules; nothing changes yet.
    func judge(
        _ value: JSONText,
        on channel: HostedChannel,
        from role: Role,
        condition: Revision?,
        cause: Revision?
    ) -> ChannelStateMachine.Verdict {
        if let cause, cause == .never || cause > self.revisions.newest {
            return .refused(Refusal(WireError(.badMessage, "cause must be a revision that the daemon has given out")))
        }
        let verdict = channel.machine.judgeValue(value, from: role, condition: condition, cause: cause)
        guard case .accepted = verdict else { return verdict }
        if let error = self.objection(toChanging: channel) { return .refused(Refusal(error)) }
        guard self.hasPlace(for: self.growth(by: value, on: channel, from: role)) else { return .refused(self.noPlace) }
        return self.revisions.has(1) ? .accepted : .refused(self.noRevision)
    }

    /// The number of bytes by which a value makes all values grow; negative if they shrink.
    func growth(by value: JSONText, on channel: HostedChannel?, from role: Role) -> Int {
        value.byteCount - (channel?.machine.sent(by: role)?.value.byteCount ?? 0)
    }

    /// Whether all values may grow by this number of bytes; values that shrink always fit.
    func hasPlace(for growth: Int) -> Bool {
        growth <= 0 || self.directory.valueBytes + growth <= self.limits.valueBytes
    }

    var noPlace: Refusal {
        Refusal(WireError(.limit, "all values and errors together may have \(self.limits.valueBytes) bytes"))
    }

    /// The refusal for a lack of revisions: the disk has not taken a reservation in time.
    var noRevision: Refusal {
        Refusal(WireError(.storage, "the disk has not taken a reservation of revisions; try again when it is well"))
    }

    /// Writes a value if the rules accept it.
    func write(
        _ value: JSONText,
        on channel: HostedChannel,
        from role: Role,
        sender: Binding? = nil,
        condition: Revision? = nil,
        cause: Revision? = nil,
        sync: Bool = false
    ) -> ChangeOutcome {
        if let refusal = self.storageRefusal(sync: sync) { return .refused(refusal) }
        switch self.judge(value, on: channel, from: role, condition: condition, cause: cause) {
        case .refused(let refusal): return .refused(refusal)
        case .stale(let standing): return .unchanged(standing)
        case .accepted: return .applied(self.accept(value, on: channel, from: role, sender: sender, cause: cause))
        }
    }

    /// Writes a value that was judged as accepted.
    func accept(
        _ value: JSONText,
        on channel: HostedChannel,
        from role: Role,
        sender: Binding? = nil,
        cause: Revision? = nil
    ) -> Revision {
        let revision = self.revisions.next()
        let valuation = Valuation(value: value, revision: revision, cause: cause)
        self.directory.resized(by: self.growth(by: value, on: channel, from: role))
        self.change(channel) { $0.acceptValue(valuation, from: role, at: self.time.wall, by: self.author) }
        if let sender { sender.side.sent(as: revision, by: sender) }
        self.show(valuation, from: role, sender, to: .leading, of: channel)
        self.show(valuation, from: role, sender, to: .following, of: channel)
        return revision
    }

    private func show(
        _ valuation: Valuation,
        from role: Role,
        _ sender: Binding?,
        to recipient: Role,
        of channel: HostedChannel
    ) {
        let mode = channel.machine.record.mode
        guard mode.shows(recipient, from: role), let side = channel.existingSide(recipient) else { return }
        side.show(valuation, from: sender)
        if !side.bindings.isEmpty { self.touch(side) }
    }

    /// The bindings of a side get its log with the end of the tick.
    func touch(_ side: Side) {
        let units = Work.delivery * side.bindings.count
        if self.tick.touch(side, units) { self.work.spend(units) }
    }

    /// Ends a channel if the rules accept it.
    func finish(_ channel: HostedChannel, _ end: ChannelEnd, sync: Bool = false) -> ChangeOutcome {
        if let refusal = self.storageRefusal(sync: sync) { return .refused(refusal) }
        if case .refused(let refusal) = channel.machine.judgeEnd() { return .refused(refusal) }
        if let error = self.objection(toChanging: channel) { return .refused(Refusal(error)) }
        guard self.hasPlace(for: end.state.byteCount) else { return .refused(self.noPlace) }
        guard self.revisions.has(1) else { return .refused(self.noRevision) }
        let revision = self.revisions.next()
        self.directory.resized(by: end.state.byteCount)
        self.change(channel) { $0.acceptEnd(end, as: revision, at: self.time.wall, by: self.author) }
        return .applied(revision)
    }

    /// Notifies all bindings of a channel's end, and unbinds them.
    func release(_ channel: HostedChannel, _ end: ChannelEnd, as revision: Revision) {
        self.release(channel) { .ended($0, end, revision) }
    }

    func release(_ channel: HostedChannel, with end: (TerminalID) -> ServerMessage) {
        for role in [Role.leading, .following] {
            guard let side = channel.existingSide(role) else { continue }
            let message = OutgoingMessage(end(side.terminal))
            for binding in side.removeAllBindings() {
                self.forget(binding)
                binding.finish(with: message)
                self.tick.list(binding.connection)
            }
        }
    }

    /// Changes a channel, and notifies its watchers and the store.
    func change(_ channel: HostedChannel, times count: UInt64 = 1, _ body: (inout ChannelStateMachine) -> Void) {
        let isFirst = !channel.machine.isKnown
        body(&channel.machine)
        if isFirst {
            channel.firstRevision = channel.machine.record.revision
            if self.actor != nil { self.noteMaker(of: channel) }
        }
        channel.changeCount += count
        if !channel.isSystem { self.changeCount += count }
        self.tellWatchers(of: channel, deleted: false)
        self.store(channel)
    }

    func store(_ channel: HostedChannel) {
        guard !channel.isSystem, self.tick.store(channel) else { return }
        self.storage.changed()
    }
}
