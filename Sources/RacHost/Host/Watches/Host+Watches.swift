import RacProtocol

extension Host {
    func watch(_ pattern: ChannelPattern, _ id: RequestID, _ connection: HostedConnection) {
        guard self.subscriptionCount(of: connection) < self.limits.subscriptionsPerConnection else {
            return self.refuse(id, connection, .limit, self.noMoreSubscriptions)
        }
        let watched = self.watches[pattern]
        guard watched.map({ connection.watches[$0.id] == nil }) ?? true else {
            return self.refuse(id, connection, .alreadyBound, "this connection watches \(pattern) already")
        }
        if let why = self.objection(toWatching: pattern, connection) {
            return self.refuse(id, connection, .limit, why)
        }
        let watch = Watch(
            connection: connection,
            pattern: watched ?? self.watches.add(pattern),
            directory: self.directory,
            allNames: self.watches.names
        )
        self.say(.reply(id, .watching(watch.pattern.id)), to: connection)
        watch.pattern.add(watch)
        connection.add(watch)
        connection.lag(watch)
    }

    /// The reason why a connection may not watch a pattern; nil if it may.
    private func objection(toWatching pattern: ChannelPattern, _ connection: HostedConnection) -> String? {
        let limits = self.limits
        guard connection.watches.count < limits.patternsPerConnection,
            connection.watchedSegments + pattern.segments.count <= limits.segmentsPerConnection
        else {
            return "a connection may watch \(limits.patternsPerConnection) patterns, "
                + "with \(limits.segmentsPerConnection) segments together"
        }
        guard self.watches[pattern] == nil else { return nil }
        guard self.watches.count < limits.watchedPatterns,
            self.watches.index.segmentCount + self.watches.index.growth(by: pattern) <= limits.watchedSegments
        else {
            return "\(self.watches.count) patterns with \(self.watches.index.segmentCount) segments are watched already"
        }
        return nil
    }

    func unwatch(_ id: WatchID, _ request: RequestID, _ connection: HostedConnection) {
        guard let watch = connection.removeWatch(id) else {
            return self.refuse(request, connection, .notBound, "this connection has no watch \(id.number)")
        }
        self.watches.remove(watch)
        self.say(.reply(request, .done), to: connection)
    }

    /// Ends all watches of a connection.
    func releaseWatches(of connection: HostedConnection) {
        for watch in connection.removeAllWatches() { self.watches.remove(watch) }
    }
}
