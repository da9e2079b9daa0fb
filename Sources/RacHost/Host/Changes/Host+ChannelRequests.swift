import RacProtocol

extension Host {
    /// The error for a client that may not change a channel, or may not wait for the disk; nil if it may.
    func objection(toChanging name: ChannelName, _ connection: HostedConnection, sync: Bool) -> WireError? {
        guard self.mayWrite(name, connection) else { return self.notWritten(name) }
        return self.objection(toWaiting: connection, sync: sync)
    }

    /// The error for a client too many of whose writes wait for the disk already.
    func objection(toWaiting connection: HostedConnection, sync: Bool) -> WireError? {
        sync && connection.waitingWrites >= self.limits.requestsInFlight ? self.tooManyWrites : nil
    }

    /// Whether a request may change a channel; if not, the request is refused here.
    private func mayChange(
        _ name: ChannelName,
        _ id: RequestID,
        _ connection: HostedConnection,
        sync: Bool
    ) -> Bool {
        guard let error = self.objection(toChanging: name, connection, sync: sync) else { return true }
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

    func get(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) {
        guard let record = self.knownRecord(name) else {
            return self.say(.refused(id, Refusal(self.noChannel(name))), to: connection)
        }
        let got = Got(
            revision: record.value?.revision ?? .never,
            state: record.state,
            mode: record.mode,
            value: record.value?.value,
            cause: record.value?.cause,
            wish: record.wish?.value,
            wishRevision: record.wish?.revision,
            changedAt: record.changedAt,
            by: record.author?.name
        )
        self.say(.reply(id, .got(got)), to: connection)
    }

    func set(_ set: SetValue, _ id: RequestID, _ connection: HostedConnection) {
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
        self.answer(outcome, on: set.channel, id, connection, sync: set.sync)
    }

    func finish(_ finish: Finish, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(finish.channel, id, connection, sync: finish.sync),
            let channel = self.existing(finish.channel, id, connection)
        else { return }
        let outcome = self.finish(channel, finish.end, sync: finish.sync)
        self.answer(outcome, on: finish.channel, id, connection, sync: finish.sync)
        if case .applied(let revision) = outcome { self.release(channel, finish.end, as: revision) }
    }

    func reopen(_ order: ChannelOrder, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(order.channel, id, connection, sync: order.sync),
            let channel = self.existing(order.channel, id, connection)
        else { return }
        guard !channel.machine.isOpen else {
            if let refusal = self.storageRefusal(sync: order.sync) {
                return self.say(.refused(id, refusal), to: connection)
            }
            let revision = self.readable(channel.machine.record.revision, of: order.channel, connection)
            return self.reply(.revision(revision), id, connection, sync: order.sync)
        }
        guard let revision = self.takeRevision(id, connection, sync: order.sync) else { return }
        self.directory.resized(by: -channel.machine.record.state.byteCount)
        self.change(channel) { $0.acceptReopening(as: revision, at: self.time.wall, by: self.author) }
        self.reply(.revision(revision), id, connection, sync: order.sync)
    }

    func delete(_ order: ChannelOrder, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayChange(order.channel, id, connection, sync: order.sync),
            let channel = self.existing(order.channel, id, connection),
            let revision = self.takeRevision(id, connection, sync: order.sync)
        else { return }
        self.release(channel) { .deleted($0, revision) }
        // The directory drops the channel first, because it counts the bytes of the values that the channel still has.
        self.work.spend(Work.channel(channel.name))
        self.directory.remove(channel)
        self.belongings.removed(channel.number)
        let wasKnown = channel.machine.isKnown
        channel.machine.acceptDeletion(as: revision, at: self.time.wall, by: self.author)
        if wasKnown { self.tellWatchers(of: channel, deleted: true) }
        self.store(channel)
        self.changeCount += 1
        self.reply(.revision(revision), id, connection, sync: order.sync)
    }

    func create(_ create: Create, _ id: RequestID, _ connection: HostedConnection) {
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
        self.change(channel) { $0.acceptCreation(mode: create.mode, as: revision, at: self.time.wall, by: self.author) }
        if let value = create.value { revision = self.accept(value, on: channel, from: .leading) }
        self.reply(.revision(revision), id, connection, sync: create.sync)
    }

    /// The refusal for a channel that cannot be created, with its value if it gets one.
    private func objection(to create: Create) -> Refusal? {
        if let refusal = self.storageRefusal(sync: create.sync) { return refusal }
        if let error = self.objection(toMaking: 1) { return Refusal(error) }
        guard self.hasPlace(for: create.value?.byteCount ?? 0) else { return self.noPlace }
        return self.revisions.has(create.value == nil ? 1 : 2) ? nil : self.noRevision
    }

    /// A revision for a change that is no value; nil if the request was refused here.
    private func takeRevision(_ id: RequestID, _ connection: HostedConnection, sync: Bool) -> Revision? {
        if let refusal = self.storageRefusal(sync: sync) ?? (self.revisions.has(1) ? nil : self.noRevision) {
            self.say(.refused(id, refusal), to: connection)
            return nil
        }
        return self.revisions.next()
    }
}
