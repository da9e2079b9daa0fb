import RacProtocol

extension Host {
    /// Sends the bindings of a channel, in the order of the connections' numbers.
    func who(_ name: ChannelName, _ id: RequestID, _ connection: HostedConnection) {
        guard let channel = self.directory[name] else {
            return self.refuse(id, connection, .noSuchChannel, "there is no channel \(name)")
        }
        let listed = min(channel.bindingCount, self.limits.listedChannels)
        self.work.spend(Work.reading * channel.bindingCount + Work.entry * listed)
        let bindings = [Role.leading, .following].flatMap { channel.existingSide($0)?.bindings ?? [] }
        let ordered = bindings.sorted { $0.connection.id.number < $1.connection.id.number }
        let who = Who(
            entries: ordered.prefix(self.limits.listedChannels).map(Who.Entry.init),
            more: ordered.count > self.limits.listedChannels
        )
        self.say(.reply(id, .who(who)), to: connection)
    }
}

extension Who.Entry {
    fileprivate init(_ binding: Binding) {
        self.init(
            connection: binding.connection.id.number,
            agent: binding.connection.agent,
            role: binding.side.role,
            delivery: binding.delivery,
            isSlow: binding.lags
        )
    }
}
