import RacProtocol

extension Host {
    func watch(_ pattern: ChannelPattern, _ id: RequestID, _ connection: HostedConnection) {
        if let error = self.objection(toSubscribing: connection) { return self.refuse(id, connection, error) }
        let group = self.watches.group(of: connection.id)
        if let watch = self.watches[pattern], group?.watches[watch] != nil {
            return self.refuse(id, connection, .alreadyBound, "this connection watches \(pattern) already")
        }
        if let why = self.objection(toWatching: pattern, connection, group) {
            return self.refuse(id, connection, .limit, why)
        }
        let watch = self.watches.add(pattern, connection, self.directory)
        self.say(.reply(id, .watching(watch.pattern.id)), to: connection)
        connection.lag(watch)
    }

    /// The reason why a connection may not watch a pattern; nil if it may.
    private func objection(
        toWatching pattern: ChannelPattern,
        _ connection: HostedConnection,
        _ group: WatchGroup?
    ) -> String? {
        let limits = self.limits
        guard (group?.watches.count ?? 0) < limits.patternsPerConnection,
            (group?.segmentCount ?? 0) + pattern.segments.count <= limits.segmentsPerConnection
        else {
            return "a connection may watch \(limits.patternsPerConnection) patterns, "
                + "with \(limits.segmentsPerConnection) segments together"
        }
        guard self.watches.needsLog(pattern, for: connection) else { return nil }
        guard self.watches.count < limits.watchedPatterns,
            self.watches.index.segmentCount + self.watches.index.growth(by: pattern) <= limits.watchedSegments
        else {
            return "\(self.watches.count) patterns with \(self.watches.index.segmentCount) segments are watched already"
        }
        return nil
    }

    func unwatch(_ id: WatchID, _ request: RequestID, _ connection: HostedConnection) {
        guard self.watches.remove(id, of: connection.id) else {
            return self.refuse(request, connection, .notBound, "this connection has no watch \(id.number)")
        }
        self.say(.reply(request, .done), to: connection)
    }
}
