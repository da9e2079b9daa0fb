import RacProtocol

extension Host {
    /// A client has said `hello`.
    ///
    /// - Parameters:
    ///   - id: The shell's number of the connection.
    ///   - session: The client's name for its session. An earlier connection with the session loses it and ends.
    ///   - agent: The client's name for its program; the host keeps the beginning.
    /// - Returns: The connection, which all further events name.
    package func connected(_ id: ConnectionID, session: String?, agent: String?) -> HostedConnection {
        let session = self.sessions.session(named: session)
        if let older = session.connection.flatMap({ self.connections[$0] }) {
            self.evict(older, because: WireError(.alreadyBound, "another connection has taken over this session"))
            self.release(older)
        }
        let connection = HostedConnection(
            id: id,
            session: session,
            agent: agent.map { self.beginning(of: $0) },
            limits: self.limits
        )
        self.sessions.wake(session, for: id)
        self.connections[id] = connection
        return connection
    }

    /// The number of bindings, watches and observed commands, which have one limit.
    func subscriptionCount(of connection: HostedConnection) -> Int {
        connection.bindings.count + self.watches.count(of: connection.id)
            + (self.commands.user(connection.id)?.observed.count ?? 0)
    }

    /// The longest prefix of whole characters that fits the limit.
    private func beginning(of agent: String) -> String {
        guard agent.utf8.count > self.limits.agentBytes else { return agent }
        var beginning = String.UnicodeScalarView()
        var bytes = 0
        for scalar in agent.unicodeScalars {
            bytes += UTF8.width(scalar)
            guard bytes <= self.limits.agentBytes else { break }
            beginning.append(scalar)
        }
        return String(beginning)
    }

    /// A client says `bye`: it still gets its answers, and its wills do not apply.
    func leaves(_ connection: HostedConnection) {
        connection.phase = .leaving
        self.releaseCommands(of: connection)
        self.leaving.append(connection)
        self.tick.list(connection)
    }

    /// Ends the connections whose clients said `bye` and have all their answers.
    func endLeaving() {
        self.leaving.removeAll { connection in
            guard connection.phase == .leaving else { return true }
            guard !connection.awaitsAnswers else { return false }
            self.end(connection)
            return true
        }
    }

    private func remove(_ connection: HostedConnection) {
        guard self.connections.removeValue(forKey: connection.id) != nil else { return }
        self.release(connection)
        guard connection.session.connection == connection.id else { return }
        self.sessions.rest(connection.session, at: self.time, limits: self.limits)
    }

    /// A connection has ended.
    ///
    /// Its wills apply unless the client said `bye`.
    package func disconnected(_ connection: HostedConnection) {
        let mark = self.work.mark
        let willing = connection.phase == .leaving ? [] : connection.willing
        self.remove(connection)
        self.applyWills(of: willing)
        self.work.charge(&connection.share, since: mark)
    }

    /// The socket takes more again, or takes no more for now.
    package func setWritable(_ connection: HostedConnection, _ isWritable: Bool) {
        connection.isWritable = isWritable
        if isWritable { self.tick.list(connection) }
    }

    /// The shell has written this number of bytes, which makes room for more.
    package func wrote(_ bytes: Int, to connection: HostedConnection) {
        connection.unwrittenBytes -= bytes
        if connection.hasRoom, !connection.lagging.isEmpty { self.tick.list(connection) }
    }

    private func release(_ connection: HostedConnection) {
        connection.phase = .gone
        for binding in connection.bindings.values { self.detach(binding) }
        self.watches.removeAll(of: connection.id)
        self.releaseCommands(of: connection)
        connection.departing.removeAll()
        connection.lagging.removeAll()
    }
}
