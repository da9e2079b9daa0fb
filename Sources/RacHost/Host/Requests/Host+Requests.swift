package import RacProtocol

extension Host {
    /// A client's message has come, any but hello.
    package func received(_ message: consuming ClientMessage, from connection: HostedConnection) {
        guard connection.phase == .live else { return }
        switch message {
        case .send(let send): self.send(send, connection)
        case .request(let id, let request): self.answer(request, id, connection)
        case .progress(let execution, let event): self.progress(execution, event, connection)
        case .cancel(let execution): self.cancel(execution, connection)
        case .enabled(let command, let isEnabled): self.setEnabled(command, isEnabled, connection)
        case .ping: self.say(.pong, to: connection)
        case .pong: break
        case .bye: self.leaves(connection)
        case .hello:
            let error = WireError(.badMessage, "hello is said once, first")
            self.say(.refused(nil, Refusal(error)), to: connection)
        }
    }

    /// A frame was no valid message.
    package func received(_ fault: MessageError, from connection: HostedConnection) {
        guard connection.phase == .live else { return }
        self.say(.refused(fault.id, Refusal(fault.error)), to: connection)
    }

    private func answer(_ request: Request, _ id: RequestID, _ connection: HostedConnection) {
        switch request {
        case .ping: self.say(.reply(id, .done), to: connection)
        case .bind(let bind): self.bind(bind, id, connection)
        case .unbind(let terminal): self.unbind(terminal, id, connection)
        case .get(let channel): self.get(channel, id, connection)
        case .set(let set): self.set(set, id, connection)
        case .finish(let finish): self.finish(finish, id, connection)
        case .reopen(let order): self.reopen(order, id, connection)
        case .delete(let order): self.delete(order, id, connection)
        case .create(let create): self.create(create, id, connection)
        case .put(let put): self.put(put, id, connection)
        case .list(let list): self.answer(list, id, connection)
        case .who(let channel): self.who(channel, id, connection)
        case .watch(let pattern): self.watch(pattern, id, connection)
        case .unwatch(let watch): self.unwatch(watch, id, connection)
        case .host(let host): self.host(host, id, connection)
        case .unhost(let command): self.unhost(command, id, connection)
        case .exec(let exec): self.exec(exec, id, connection)
        case .observe(let command): self.observe(command, id, connection)
        case .unobserve(let command): self.unobserve(command, id, connection)
        }
    }

    var noMoreSubscriptions: String {
        "a connection may have \(self.limits.subscriptionsPerConnection) bindings, watches and observed commands"
    }

    func refuse(_ id: RequestID, _ connection: HostedConnection, _ code: ErrorCode, _ message: String) {
        self.say(.refused(id, Refusal(WireError(code, message))), to: connection)
    }

    /// Answers a change: at once, or when it is on disk.
    func reply(_ reply: Reply, _ id: RequestID, _ connection: HostedConnection, sync: Bool) {
        guard sync, let ticket = self.storage.awaitOutstanding() else {
            return self.say(.reply(id, reply), to: connection)
        }
        self.await(ticket, .reply(id, reply), wantsDisk: true, for: connection)
    }

    private func answer(_ outcome: Outcome, _ id: RequestID, _ connection: HostedConnection, sync: Bool) {
        switch outcome {
        case .applied(let revision): self.reply(.revision(revision), id, connection, sync: sync)
        case .unchanged(let standing): self.reply(.revision(standing.revision), id, connection, sync: sync)
        case .refused(let refusal): self.say(.refused(id, refusal), to: connection)
        }
    }

    /// Why a client may not change this channel, or not wait for the disk.
    func objection(to name: ChannelName, _ connection: HostedConnection, sync: Bool) -> WireError? {
        if name.isReserved { return WireError(.forbidden, "\(name) is the daemon's own: it is not written") }
        return sync && connection.waitingWrites >= self.limits.requestsInFlight ? self.tooManyWrites : nil
    }

    /// Whether a client may change this channel, and wait for the disk if it wants to; if not, it has been told.
    private func mayChange(
        _ name: ChannelName,
        _ id: RequestID,
        _ connection: HostedConnection,
        sync: Bool
    ) -> Bool {
        guard let error = self.objection(to: name, connection, sync: sync) else { return true }
        self.say(.refused(id, Refusal(error)), to: connection)
        return false
    }

    private func noChannel(_ name: ChannelName) -> WireError {
        WireError(.noSuchChannel, "there is no channel \(name)")
    }

    var noMoreChannels: WireError {
        WireError(.limit, "the daemon may have \(self.limits.channels) channels")
    }

    private func existing(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) -> HostedChannel? {
        if let channel = self.directory[name] { return channel }
        self.say(.refused(id, Refusal(self.noChannel(name))), to: connection)
        return nil
    }

    private func made(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) -> HostedChannel? {
        if let channel = self.channel(name) { return channel }
        self.say(.refused(id, Refusal(self.noMoreChannels)), to: connection)
        return nil
    }

    private func get(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) {
        guard let record = self.knownRecord(name) else {
            return self.say(.refused(id, Refusal(self.noChannel(name))), to: connection)
        }
        let got = Got(
            revision: record.value?.revision ?? .none,
            state: record.state,
            mode: record.mode,
            value: record.value?.value,
            cause: record.value?.cause,
            wish: record.wish?.value,
            wishRevision: record.wish?.revision,
            changedAt: record.changedAt
        )
        self.say(.reply(id, .got(got)), to: connection)
    }

    private func set(_ set: SetValue, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(set.channel, id, connection, sync: set.sync),
            let channel = self.made(set.channel, id, connection)
        else { return }
        let outcome = self.write(
            set.value,
            on: channel,
            from: set.role,
            condition: set.condition,
            cause: set.cause,
            sync: set.sync
        )
        self.forgetIfUnused(channel)
        self.answer(outcome, id, connection, sync: set.sync)
    }

    private func finish(_ finish: Finish, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(finish.channel, id, connection, sync: finish.sync),
            let channel = self.existing(finish.channel, id, connection)
        else { return }
        let outcome = self.finish(channel, finish.end, sync: finish.sync)
        self.answer(outcome, id, connection, sync: finish.sync)
        if case .applied(let revision) = outcome { self.release(channel, finish.end, as: revision) }
    }

    private func reopen(_ order: ChannelOrder, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(order.channel, id, connection, sync: order.sync),
            let channel = self.existing(order.channel, id, connection)
        else { return }
        guard !channel.machine.isOpen else {
            return self.reply(.revision(channel.machine.record.revision), id, connection, sync: order.sync)
        }
        guard let revision = self.takeRevision(id, connection, sync: order.sync) else { return }
        self.change(channel) { $0.acceptReopening(as: revision, at: self.time.wall) }
        self.reply(.revision(revision), id, connection, sync: order.sync)
    }

    private func delete(_ order: ChannelOrder, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(order.channel, id, connection, sync: order.sync),
            let channel = self.existing(order.channel, id, connection),
            let revision = self.takeRevision(id, connection, sync: order.sync)
        else { return }
        self.release(channel, .completed, as: revision)
        // Taken out first: what its values took is counted by what it has.
        self.directory.remove(channel)
        let wasKnown = channel.machine.isKnown
        channel.machine.acceptDeletion(as: revision, at: self.time.wall)
        if wasKnown { self.tellWatchers(of: channel, deleted: true) }
        self.store(channel)
        self.changeCount += 1
        self.reply(.revision(revision), id, connection, sync: order.sync)
    }

    private func create(_ create: Create, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(create.channel, id, connection, sync: create.sync),
            let channel = self.made(create.channel, id, connection)
        else { return }
        let isBoundOtherwise = channel.bindingCount > 0 && channel.machine.record.mode != create.mode
        guard !channel.machine.isKnown, !isBoundOtherwise else {
            let how = channel.machine.isKnown ? "there is" : "somebody is bound to"
            let mode = channel.machine.record.mode.rawValue
            return self.refuse(id, connection, .exists, "\(how) a \(mode) channel \(create.channel) already")
        }
        if let refusal = self.objection(to: create) {
            self.forgetIfUnused(channel)
            return self.say(.refused(id, refusal), to: connection)
        }
        var revision = self.revisions.next()
        self.change(channel) { $0.acceptCreation(mode: create.mode, as: revision, at: self.time.wall) }
        if let value = create.value { revision = self.accept(value, on: channel, from: .leading) }
        self.reply(.revision(revision), id, connection, sync: create.sync)
    }

    /// Why a channel that is not there cannot be created, with its value if it is to have one.
    private func objection(to create: Create) -> Refusal? {
        if let refusal = self.storageRefusal(sync: create.sync) { return refusal }
        guard self.hasPlace(for: create.value?.byteCount ?? 0) else { return self.noPlace }
        return self.revisions.has(create.value == nil ? 1 : 2) ? nil : self.noRevision
    }

    /// A revision for a change that is no value; without one the request has been refused.
    private func takeRevision(_ id: RequestID, _ connection: HostedConnection, sync: Bool) -> Revision? {
        if let refusal = self.storageRefusal(sync: sync) ?? (self.revisions.has(1) ? nil : self.noRevision) {
            self.say(.refused(id, refusal), to: connection)
            return nil
        }
        return self.revisions.next()
    }
}
