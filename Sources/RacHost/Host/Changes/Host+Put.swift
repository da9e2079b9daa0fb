import RacProtocol

extension Host {
    /// Sets several channels, all or none; entries without a value only compare.
    func put(_ put: Put, _ id: RequestID, _ connection: HostedConnection) {
        // Looking a long name up costs as much as setting its channel, so each name is looked up once.
        let channels = put.entries.map { self.directory[$0.channel] }
        if let refusal = self.refusal(of: put, on: channels, connection) {
            return self.say(.refused(id, refusal), to: connection)
        }
        var revisions: [Revision] = []
        for (entry, existing) in zip(put.entries, channels) {
            guard let value = entry.value else {
                // The judgement compared it with the channel's revision.
                revisions.append(entry.condition ?? .never)
                continue
            }
            // The judgement made sure that there is room for all channels.
            guard let channel = existing ?? self.channel(entry.channel) else { continue }
            revisions.append(self.accept(value, on: channel, from: .following))
        }
        self.reply(.revisions(revisions), id, connection, sync: put.sync)
    }

    /// The refusal of the whole put; no channel is added before all entries are judged.
    private func refusal(of put: Put, on channels: [HostedChannel?], _ connection: HostedConnection) -> Refusal? {
        if let refusal = self.storageRefusal(sync: put.sync) { return refusal }
        self.work.spend(Work.entry * put.entries.count)
        var found: Set<ObjectIdentifier> = []
        var names: Set<ChannelName> = []
        var missing = 0
        var made = 0
        var growth = 0
        var writes = 0
        for (index, entry) in put.entries.enumerated() {
            let channel = channels[index]
            let isNew =
                channel.map { found.insert(ObjectIdentifier($0)).inserted } ?? names.insert(entry.channel).inserted
            if let refused = self.refusal(of: entry, isNew, on: channel, connection, sync: put.sync) {
                var refusal = self.readable(refused, of: entry.channel, connection)
                refusal.index = UInt64(index)
                return refusal
            }
            guard let value = entry.value else { continue }
            writes += 1
            missing += channel == nil ? 1 : 0
            made += channel?.machine.isKnown == true ? 0 : 1
            growth += self.growth(by: value, on: channel, from: .following)
        }
        guard self.directory.count + missing <= self.limits.channels else { return Refusal(self.noMoreChannels) }
        if let error = made > 0 ? self.objection(toMaking: made) : nil { return Refusal(error) }
        guard self.hasPlace(for: growth) else { return self.noPlace }
        return self.revisions.has(writes) ? nil : self.noRevision
    }

    private func refusal(
        of entry: Put.Entry,
        _ isNew: Bool,
        on channel: HostedChannel?,
        _ connection: HostedConnection,
        sync: Bool
    ) -> Refusal? {
        guard isNew else {
            return Refusal(WireError(.badMessage, "a put names each channel once: \(entry.channel) is there twice"))
        }
        let fresh = ChannelRecord(name: entry.channel, mode: .shared, changedAt: 0)
        let machine = channel?.machine ?? ChannelStateMachine(fresh)
        if entry.value == nil {
            if let error = self.objection(toWaiting: connection, sync: sync) { return Refusal(error) }
            return entry.condition.flatMap { machine.conflict(with: $0, from: .following) }
        }
        if let error = self.objection(toChanging: entry.channel, connection, sync: sync) { return Refusal(error) }
        guard case .refused(let refusal) = machine.judgeValue(from: .following, condition: entry.condition, cause: nil)
        else { return nil }
        return refusal
    }
}
