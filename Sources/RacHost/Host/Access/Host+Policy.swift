package import RacAccess
import RacProtocol

extension Host {
    /// Takes other rules, or none for an open daemon, and judges each connection anew in the next turns.
    ///
    /// A connection keeps its bindings and watches as far as its new rights allow them.
    package func take(_ access: AccessPolicy?) {
        self.access = access
        self.unjudged = self.connections.keys.sorted { $0.number > $1.number }
    }

    /// The connections that the newest rules have yet to judge.
    package var unjudgedConnections: [ConnectionID] { self.unjudged }

    /// Ends the connections of clients whose time is over.
    package func endExpired() {
        for (id, end) in self.expiring where end <= self.time.wall {
            self.expiring[id] = nil
            if let connection = self.connections[id] { self.turnAway(connection) }
        }
    }

    /// Judges connections anew while the turn has units for that.
    func judgeAnew() {
        guard !self.unjudged.isEmpty else { return }
        let mark = self.work.mark
        let room = self.limits.unitsPerTurn / 4
        while self.work.spent(since: mark) < room, let id = self.unjudged.popLast() {
            guard let connection = self.connections[id] else { continue }
            if connection.phase == .live || connection.phase == .leaving { self.judgeAnew(connection) }
        }
    }

    private func judgeAnew(_ connection: HostedConnection) {
        let admission = self.access?.admits(connection.credentials, at: self.time.wall)
        let before = connection.rights
        // The rules of a principal of a JWT are worked out for it alone.
        let isIssued = connection.credentials.claims != nil
        self.work.spend(Work.message + (isIssued ? Work.verdict(admission?.rights) * Work.message : 0))
        self.expiring[connection.id] = admission?.expiresAt
        // A connection has one principal for its life.
        let isOther = before != nil && admission != nil && before?.principal != admission?.rights.principal
        if (self.access != nil && admission == nil) || isOther {
            return self.turnAway(connection)
        }
        guard before != admission?.rights else { return }
        connection.rights = admission?.rights
        if let before, admission == nil { self.belongings.left(connection.id, before.principal) }
        if let rights = admission?.rights, before == nil { self.belongings.connected(connection.id, rights.principal) }
        let rate = admission?.rights.bounds.rate ?? ReadRate()
        if rate != before?.bounds.rate ?? ReadRate() { self.tick.reads(connection, at: rate) }
        connection.client.principal = admission?.rights.principal.text
        connection.session.owner = admission?.rights.principal ?? connection.session.owner
        self.watches.judgeAnew(connection, newest: self.revisions.newest)
        self.tick.list(connection)
        self.judgeBindings(of: connection)
        self.judgeCommands(of: connection)
    }

    /// Ends a connection whose principal is gone: it gets nothing more, and its wills are dropped.
    private func turnAway(_ connection: HostedConnection) {
        let isLive = connection.phase == .live
        connection.rights = Rights(of: connection.rights?.principal ?? .anonymous, roles: [])
        for binding in connection.bindings.values.sorted(by: { $0.terminal.number < $1.terminal.number }) {
            self.detach(binding)
            binding.leave()
        }
        self.watches.removeAll(of: connection.id)
        // A client that has said bye is not notified.
        if isLive {
            self.evict(connection, because: self.unauthenticated(connection.credentials))
        } else {
            self.end(connection)
        }
        connection.turnAway()
    }

    private func judgeBindings(of connection: HostedConnection) {
        for binding in connection.bindings.values.sorted(by: { $0.terminal.number < $1.terminal.number }) {
            self.work.spend(Work.verdict(connection.rights))
            binding.maySend = self.maySend(to: binding.channel, as: binding.side.role, connection)
            guard let error = connection.rights?.objection(binding.side.role.bindVerb, binding.channel.name)?.error
            else { continue }
            self.detach(binding)
            binding.finish(with: OutgoingMessage(.ended(binding.terminal, .failed(error), nil)))
        }
    }

    private func judgeCommands(of connection: HostedConnection) {
        guard let user = self.commands.user(connection.id), let rights = connection.rights else { return }
        for command in user.hosted.values.sorted(by: { $0.id.number < $1.id.number }) {
            self.work.spend(Work.verdict(rights))
            guard let error = rights.objection(.host, command.name.name)?.error else { continue }
            self.unhost(command)
            self.say(.unhosted(command.id, error), to: connection)
        }
        for observer in user.observed.values.sorted(by: { $0.command.id.number < $1.command.id.number })
        where !rights.allows(.observe, observer.command.name) {
            self.work.spend(Work.verdict(rights))
            user.observed[observer.command.id] = nil
            self.say(.state(observer.command.id, CommandState(isEnabled: false, isExecuting: false)), to: connection)
            self.unobserve(observer)
        }
        for execution in user.calls.values.sorted(by: { $0.id.number < $1.id.number }) {
            self.work.spend(Work.verdict(rights))
            guard let error = rights.objection(.exec, execution.command.name.name)?.error else { continue }
            execution.finish(.failed(error))
            self.tick.list(connection)
            self.abandon(execution)
        }
    }

    /// The refusal of a client none of whose proofs counts, or counts any more.
    func unauthenticated(_ credentials: Credentials) -> WireError {
        let words =
            if credentials.token == nil, let name = credentials.certificate {
                "the certificate '\(name)' is no principal's, or its time is over"
            } else {
                "the token is not known, or its time is over"
            }
        return WireError(.unauthenticated, words)
    }
}
