import RacProtocol

extension Host {
    /// A client has said hello.
    ///
    /// - Parameter session: What it calls its session. A connection that has the session already loses it and ends.
    package func connected(_ id: ConnectionID, session: String?) -> HostedConnection {
        let session = self.sessions.session(named: session)
        if let older = session.connection {
            self.release(older)
            self.evict(older, because: WireError(.alreadyBound, "another connection has taken over this session"))
            older.isGone = true
        }
        let connection = HostedConnection(id: id, session: session)
        session.connection = connection
        self.connections[id] = connection
        return connection
    }

    /// A client says that it goes: it is told what is due with this tick, and its wills are forgotten.
    func leaves(_ connection: HostedConnection) {
        connection.hasSaidBye = true
        self.list(connection)
        self.end(connection)
    }

    private func remove(_ connection: HostedConnection) {
        guard self.connections.removeValue(forKey: connection.id) != nil else { return }
        self.release(connection)
        connection.isGone = true
        guard connection.session.connection === connection else { return }
        connection.session.connection = nil
        self.sessions.rest(connection.session, at: self.time, limits: self.limits)
    }

    /// A connection has ended. Unless the client said bye, its wills are applied.
    package func disconnected(_ connection: HostedConnection) {
        let wills = connection.bindings.values
            .filter { $0.will != nil && !connection.hasSaidBye }
            .sorted { $0.side.terminal.number < $1.side.terminal.number }
        self.remove(connection)
        for binding in wills {
            guard let will = binding.will else { continue }
            self.apply(will, on: binding.side)
        }
    }

    /// Its socket takes more again, or no more for now.
    package func setWritable(_ connection: HostedConnection, _ isWritable: Bool) {
        connection.isWritable = isWritable
        if isWritable { self.list(connection) }
    }

    private func release(_ connection: HostedConnection) {
        for binding in connection.bindings.values { self.detach(binding) }
        for watch in connection.watches.values { self.unwatch(watch) }
        connection.lagging.removeAll()
    }

    private func apply(_ will: Will, on side: Side) {
        // The channel may have gone with its only binding.
        guard let channel = self.channel(side.channel.name) else { return }
        switch will {
        case .value(let value):
            // A refused will, of a channel that has ended, has nobody to be told.
            _ = self.write(value, on: channel, from: side.role)
        case .end(let end):
            guard case .applied(let revision) = self.finish(channel, end) else { return }
            self.release(channel, end, as: revision)
        }
    }
}
