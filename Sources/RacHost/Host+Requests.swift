package import RacProtocol

extension Host {
    /// A client's message has come, any but hello.
    package func received(_ message: ClientMessage, from connection: HostedConnection) {
        switch message {
        case .send(let send): self.send(send, connection)
        case .request(let id, let request): self.answer(request, id, connection)
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
        case .list(let list): self.list(list, id, connection)
        case .watch(let pattern): self.watch(pattern, id, connection)
        case .unwatch(let watch): self.unwatch(watch, id, connection)
        }
    }

    func refuse(_ id: RequestID, _ connection: HostedConnection, _ code: ErrorCode, _ message: String) {
        self.say(.refused(id, Refusal(WireError(code, message))), to: connection)
    }

    /// Answers a change: at once, or when it is on disk.
    private func reply(_ reply: Reply, _ id: RequestID, _ connection: HostedConnection, sync: Bool) {
        guard sync, let ticket = self.storage.outstanding else { return self.say(.reply(id, reply), to: connection) }
        connection.waitingRequests += 1
        self.waitingReplies.append(WaitingReply(ticket: ticket, connection: connection, id: id, reply: reply))
    }

    private func answer(_ outcome: Outcome, _ id: RequestID, _ connection: HostedConnection, sync: Bool) {
        switch outcome {
        case .applied(let revision), .unchanged(let revision):
            self.reply(.revision(revision), id, connection, sync: sync)
        case .refused(let refusal): self.say(.refused(id, refusal), to: connection)
        }
    }

    /// Whether a client may change this channel, and wait for the disk if it wants to; if not, it has been told.
    private func mayChange(
        _ name: ChannelName,
        _ id: RequestID,
        _ connection: HostedConnection,
        sync: Bool
    ) -> Bool {
        guard !name.isReserved else {
            self.refuse(id, connection, .forbidden, "names that begin with $ are the daemon's own: they are not written")
            return false
        }
        guard !sync || connection.waitingRequests < self.limits.requestsInFlight else {
            self.refuse(id, connection, .limit, "\(self.limits.requestsInFlight) requests wait for the disk already")
            return false
        }
        return true
    }

    private func existing(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) -> HostedChannel? {
        guard let channel = self.directory[name] else {
            self.refuse(id, connection, .noSuchChannel, "there is no channel \(name)")
            return nil
        }
        return channel
    }

    private func made(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) -> HostedChannel? {
        guard let channel = self.channel(name) else {
            self.refuse(id, connection, .limit, "the daemon may have \(self.limits.channels) channels")
            return nil
        }
        return channel
    }

    private func get(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) {
        guard let channel = self.existing(name, id, connection) else { return }
        let record = channel.machine.record
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
        if case .stale(let revision) = channel.machine.judgeReopening() {
            return self.reply(.revision(revision), id, connection, sync: order.sync)
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
        channel.machine.acceptDeletion(as: revision, at: self.time.wall)
        self.directory.remove(channel)
        self.tellWatchers(of: channel, deleted: true)
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
        guard let revision = self.takeRevision(id, connection, sync: create.sync) else {
            return self.forgetIfUnused(channel)
        }
        self.change(channel) { $0.acceptCreation(mode: create.mode, as: revision, at: self.time.wall) }
        guard let value = create.value else {
            return self.reply(.revision(revision), id, connection, sync: create.sync)
        }
        let outcome = self.write(value, on: channel, from: .leading)
        self.answer(outcome, id, connection, sync: create.sync)
    }

    /// A revision for a change that is no value; without one the request has been refused.
    private func takeRevision(_ id: RequestID, _ connection: HostedConnection, sync: Bool) -> Revision? {
        if let refusal = self.storageRefusal(sync: sync) ?? (self.revisions.has(1) ? nil : self.noRevision) {
            self.say(.refused(id, refusal), to: connection)
            return nil
        }
        return self.revisions.next()
    }

    private func put(_ put: Put, _ id: RequestID, _ connection: HostedConnection) {
        var channels: [HostedChannel] = []
        defer { for channel in channels { self.forgetIfUnused(channel) } }
        for (index, entry) in put.entries.enumerated() {
            guard self.mayChange(entry.channel, id, connection, sync: put.sync),
                let channel = self.made(entry.channel, id, connection)
            else { return }
            channels.append(channel)
            if let refusal = self.refusal(of: entry, on: channel, index, among: channels) {
                return self.say(.refused(id, refusal), to: connection)
            }
        }
        if let refusal = self.refusal(ofAll: put) { return self.say(.refused(id, refusal), to: connection) }
        let revisions = zip(channels, put.entries).map { self.accept($1.value, on: $0, from: .following) }
        self.reply(.revisions(revisions), id, connection, sync: put.sync)
    }

    private func refusal(
        of entry: Put.Entry,
        on channel: HostedChannel,
        _ index: Int,
        among channels: [HostedChannel]
    ) -> Refusal? {
        if channels.dropLast().contains(where: { $0 === channel }) {
            let error = WireError(.badMessage, "a put names each channel once: \(entry.channel) is there twice")
            return Refusal(error, index: UInt64(index))
        }
        let verdict = self.judge(entry.value, on: channel, from: .following, condition: entry.condition, cause: nil)
        guard case .refused(var refusal) = verdict else { return nil }
        refusal.index = UInt64(index)
        return refusal
    }

    private func refusal(ofAll put: Put) -> Refusal? {
        if let refusal = self.storageRefusal(sync: put.sync) { return refusal }
        let bytes = put.entries.reduce(0) { $0 + $1.value.byteCount }
        guard self.directory.valueBytes + bytes <= self.limits.valueBytes else {
            return Refusal(WireError(.limit, "all values together may have \(self.limits.valueBytes) bytes"))
        }
        return self.revisions.has(put.entries.count) ? nil : self.noRevision
    }

    private func list(_ list: List, _ id: RequestID, _ connection: HostedConnection) {
        let most = min(list.limit.map { Int(clamping: $0) } ?? .max, self.limits.listedChannels)
        var channels: [Listed.Entry] = []
        var more = false
        self.directory.forEach(in: list.pattern, after: list.after) { name in
            guard list.pattern.matches(name), let channel = self.directory[name] else { return true }
            guard channels.count < most else {
                more = true
                return false
            }
            channels.append(Listed.Entry(channel))
            return true
        }
        self.say(.reply(id, .listed(Listed(channels: channels, more: more))), to: connection)
    }
}

extension Listed.Entry {
    init(_ channel: HostedChannel) {
        let record = channel.machine.record
        self.init(
            channel: record.name,
            revision: record.value?.revision ?? .none,
            state: record.state.word,
            mode: record.mode,
            bound: UInt64(channel.bindingCount)
        )
    }
}
