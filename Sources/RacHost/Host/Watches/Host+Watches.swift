import RacProtocol

extension Host {
    func watch(_ pattern: ChannelPattern, _ id: RequestID, _ connection: HostedConnection) {
        guard connection.subscriptionCount < self.limits.subscriptionsPerConnection else {
            return self.refuse(id, connection, .limit, self.noMoreSubscriptions)
        }
        guard let watched = self.watched(pattern) else {
            return self.refuse(id, connection, .limit, "\(self.limits.watchedPatterns) patterns are watched already")
        }
        guard connection.watches[watched.id] == nil else {
            return self.refuse(id, connection, .alreadyBound, "this connection watches \(pattern) already")
        }
        self.say(.reply(id, .watching(watched.id)), to: connection)
        let watch = Watch(connection: connection, pattern: watched, host: self)
        watched.add(watch)
        connection.watches[watched.id] = watch
        connection.lag(watch)
    }

    func unwatch(_ id: WatchID, _ request: RequestID, _ connection: HostedConnection) {
        guard let watch = connection.watches.removeValue(forKey: id) else {
            return self.refuse(request, connection, .notBound, "this connection has no watch \(id.number)")
        }
        self.unwatch(watch)
        self.say(.reply(request, .done), to: connection)
    }

    /// Takes a watch away from its pattern, and the pattern too if nobody else watches it.
    func unwatch(_ watch: Watch) {
        watch.isOver = true
        watch.pattern.remove(watch)
        guard watch.pattern.watches.isEmpty else { return }
        self.patterns[watch.pattern.pattern] = nil
        self.patternVersion += 1
    }

    private func watched(_ pattern: ChannelPattern) -> WatchedPattern? {
        if let watched = self.patterns[pattern] { return watched }
        guard self.patterns.count < self.limits.watchedPatterns else { return nil }
        self.lastWatchNumber += 1
        self.patternVersion += 1
        let watched = WatchedPattern(id: WatchID(self.lastWatchNumber), pattern: pattern)
        self.patterns[pattern] = watched
        return watched
    }
}
