import RacProtocol

extension Host {
    func who(_ ask: AskWho, _ id: RequestID, _ connection: HostedConnection) {
        if let channel = ask.channel {
            self.listBindings(of: channel, ask, id, connection)
        } else {
            self.listConnections(ask, id, connection)
        }
    }

    /// Sends all connections, in the order of their numbers.
    private func listConnections(_ ask: AskWho, _ id: RequestID, _ connection: HostedConnection) {
        let behind = self.connections.keys.filter { $0.number > ask.after ?? 0 }.sorted { $0.number < $1.number }
        let listed = behind.prefix(self.most(ask)).compactMap { self.connections[$0] }
        self.work.spend(listed.reduce(Work.reading * self.connections.count) { $0 + Work.writing($1.client) })
        let entries = listed.map { ListedConnections.Entry(client: $0.client, bound: UInt64($0.bindings.count)) }
        let reply = ListedConnections(entries: entries, more: behind.count > entries.count)
        self.say(.reply(id, .connections(reply)), to: connection)
    }

    /// Sends the bindings of a channel, in the order of the connections' numbers.
    private func listBindings(
        of name: ChannelName,
        _ ask: AskWho,
        _ id: RequestID,
        _ connection: HostedConnection
    ) {
        guard let channel = self.directory[name] else {
            return self.refuse(id, connection, .noSuchChannel, "there is no channel \(name)")
        }
        let bindings = [Role.leading, .following].flatMap { channel.existingSide($0)?.bindings ?? [] }
        let behind = ask.after.map { last in bindings.filter { $0.connection.id.number > last } } ?? bindings
        let ordered = behind.sorted { $0.connection.id.number < $1.connection.id.number }
        let entries = ordered.beginning(most: self.most(ask)).map(Who.Entry.init)
        self.work.spend(entries.reduce(Work.reading * bindings.count) { $0 + Work.writing($1.client) })
        self.say(.reply(id, .who(Who(entries: entries, more: ordered.count > entries.count))), to: connection)
    }

    private func most(_ ask: AskWho) -> Int {
        min(ask.limit.map { Int(clamping: $0) } ?? .max, self.limits.listedChannels)
    }
}

extension [Binding] {
    /// The bindings for one answer: both of a connection or none, because the next answer begins behind it.
    ///
    /// Both bindings of one connection exceed a limit of 1.
    fileprivate func beginning(most: Int) -> ArraySlice<Binding> {
        guard self.count > most, most > 0 else { return self.prefix(most) }
        let next = self[most].connection.id
        let whole = self.prefix(most).prefix { $0.connection.id != next }
        return whole.isEmpty ? self.prefix { $0.connection.id == next } : whole
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
