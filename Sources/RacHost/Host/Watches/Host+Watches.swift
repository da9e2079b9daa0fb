import RacProtocol

extension Host {
    func watch(_ pattern: ChannelPattern, _ id: RequestID, _ connection: HostedConnection) {
        guard self.subscriptionCount(of: connection) < self.limits.subscriptionsPerConnection else {
            return self.refuse(id, connection, .limit, self.noMoreSubscriptions)
        }
        guard let watched = self.watches.use(pattern, most: self.limits.watchedPatterns) else {
            return self.refuse(id, connection, .limit, "\(self.limits.watchedPatterns) patterns are watched already")
        }
        guard !self.watches.has(watched.id, of: connection.id) else {
            return self.refuse(id, connection, .alreadyBound, "this connection watches \(pattern) already")
        }
        self.say(.reply(id, .watching(watched.id)), to: connection)
        let watch = Watch(connection: connection, pattern: watched, directory: self.directory)
        self.watches.add(watch)
        connection.lag(watch)
    }

    func unwatch(_ id: WatchID, _ request: RequestID, _ connection: HostedConnection) {
        guard self.watches.remove(id, of: connection.id) else {
            return self.refuse(request, connection, .notBound, "this connection has no watch \(id.number)")
        }
        self.say(.reply(request, .done), to: connection)
    }

    func tellWatchers(of channel: HostedChannel, deleted: Bool) {
        guard !self.watches.patterns.isEmpty else { return }
        if channel.watchedVersion != self.watches.version {
            channel.watchedVersion = self.watches.version
            channel.watched = self.watches.places(matching: channel.name)
        }
        for place in channel.watched {
            let pattern = self.watches.patterns[place]
            pattern.tell(channel.machine.record, deleted: deleted)
            self.tick.touch(pattern)
        }
    }
}
