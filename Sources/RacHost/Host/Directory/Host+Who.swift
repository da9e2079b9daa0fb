import RacProtocol

extension Host {
    /// Sends the bindings of a channel, in the order of the connections' numbers.
    func who(_ who: AskWho, _ id: RequestID, _ connection: HostedConnection) {
        guard let channel = self.directory[who.channel] else {
            return self.refuse(id, connection, .noSuchChannel, "there is no channel \(who.channel)")
        }
        let listed = min(channel.bindingCount, self.limits.listedChannels)
        self.work.spend(Work.reading * channel.bindingCount + Work.entry * listed)
        let bindings = [Role.leading, .following].flatMap { channel.existingSide($0)?.bindings ?? [] }
        let behind = who.after.map { after in bindings.filter { $0.connection.id.number > after } } ?? bindings
        let ordered = behind.sorted { $0.connection.id.number < $1.connection.id.number }
        let entries = self.beginning(of: ordered).map(Who.Entry.init)
        self.say(.reply(id, .who(Who(entries: entries, more: ordered.count > entries.count))), to: connection)
    }

    /// As many bindings as an answer may have: both of a connection or none, because the next answer begins behind it.
    private func beginning(of bindings: [Binding]) -> ArraySlice<Binding> {
        guard bindings.count > self.limits.listedChannels else { return bindings[...] }
        let next = bindings[self.limits.listedChannels].connection.id
        let beginning = bindings.prefix(self.limits.listedChannels)
        let whole = beginning.prefix { $0.connection.id != next }
        return whole.isEmpty ? beginning : whole
    }
}

extension Who.Entry {
    fileprivate init(_ binding: Binding) {
        self.init(
            client: binding.connection.client,
            role: binding.side.role,
            delivery: binding.delivery,
            isSlow: binding.lags
        )
    }
}
