import RacAccess
import RacProtocol

extension Host {
    /// A connection has ended, or a later turn goes on with its end.
    ///
    /// The host releases as many things of the connection as the units of the client allow. Its wills apply unless the client
    /// said `bye` or lost its session to another connection.
    ///
    /// - Returns: Whether nothing is left to release.
    package func disconnected(_ connection: HostedConnection) -> Bool {
        if connection.phase != .gone { self.beginEnd(of: connection, appliesWills: connection.phase != .leaving) }
        guard self.departures[connection.id]?.hasEnded == true else { return true }
        let mark = self.work.mark
        defer { self.work.charge(&connection.share, since: mark) }
        let room = max(1, self.work.room(for: connection.share))
        while self.work.spent(since: mark) < room, self.releaseNext(of: connection) {}
        guard self.departures[connection.id]?.isEmpty == true else { return false }
        self.finishEnd(of: connection)
        return true
    }

    /// Takes a connection from the tables; its bindings and commands go in turns.
    func beginEnd(of connection: HostedConnection, appliesWills: Bool) {
        let willing = appliesWills && !connection.isTurnedAway ? connection.willing : []
        connection.phase = .gone
        connection.isWritable = false
        connection.session.endingCount += 1
        self.connections[connection.id] = nil
        if let transport = connection.client.transport { self.transports[transport, default: 0] -= 1 }
        self.expiring[connection.id] = nil
        if let rights = connection.rights { self.belongings.left(connection.id, rights.principal) }
        self.watches.removeAll(of: connection.id)
        self.releaseCommands(of: connection)
        // In an order of their own, so that a history repeats itself.
        let bindings = connection.bindings.sorted { $0.key.number < $1.key.number }.map(\.value)
        self.departures[connection.id]?.add(bindings: bindings, willing: willing)
        connection.departing = DepartingBindings()
        connection.lagging.removeAll()
    }

    /// Lets the connection's commands be released in turns.
    func releaseCommands(of connection: HostedConnection) {
        let user = self.commands.removeUser(connection.id)
        self.departures[connection.id, default: Departure()].add(user)
    }

    /// Releases one thing of a connection; returns false if none is left.
    func releaseNext(of connection: HostedConnection) -> Bool {
        guard let part = self.departures[connection.id]?.next() else { return false }
        switch part {
        case .hosted(let hosted): self.releaseNext(of: hosted, of: connection)
        case .call(let execution): if self.commands.executions[execution.id] != nil { self.abandon(execution) }
        case .observed(let observer): self.unobserve(observer)
        case .binding(let binding):
            if !binding.isOver { self.detach(binding) }
            if self.departures[connection.id]?.appliesWills == false { binding.forgetWill() }
        case .will(let binding):
            if self.applyWill(of: binding) { self.departures[connection.id]?.appliedWills += 1 }
            binding.forgetWill()
        }
        self.work.spend(Work.message)
        return true
    }

    private func releaseNext(of hosted: Departure.Hosted, of connection: HostedConnection) {
        self.beginUnhosting(hosted.command)
        guard self.goOnUnhosting(hosted.command) else {
            self.departures[connection.id]?.goesOn(hosted)
            return
        }
        guard let request = hosted.request else { return }
        connection.waitingUnhosts -= 1
        // The end of an evicted client is the last that it gets.
        guard connection.phase != .evicted else { return }
        self.say(.reply(request, .done), to: connection)
    }

    private func finishEnd(of connection: HostedConnection) {
        let wills = self.departures.removeValue(forKey: connection.id)?.appliedWills ?? 0
        if wills > 0 { self.tick.applied(wills, of: connection) }
        connection.departing = DepartingBindings()
        let session = connection.session
        session.endingCount -= 1
        // An earlier connection may end last, and the session remembers the sends of its bindings until then.
        guard session.endingCount == 0, let last = session.connection, self.connections[last] == nil else { return }
        self.sessions.rest(session, at: self.time, limits: self.limits)
    }
}

// MARK: Leaving

extension Host {
    /// A client says `bye`: it still gets its answers, and its wills do not apply.
    func leaves(_ connection: HostedConnection) {
        connection.phase = .leaving
        self.releaseCommands(of: connection)
        self.leaving.append(connection)
        self.tick.list(connection)
    }

    /// Ends the connections whose clients said `bye`, have all their answers and no commands any more.
    func endLeaving() {
        guard !self.leaving.isEmpty else { return }
        let mark = self.work.mark
        let room = max(self.work.room, self.limits.unitsPerTurn / 4)
        self.leavesMore = false
        self.leaving.removeAll { connection in
            guard connection.phase == .leaving else { return true }
            while self.work.spent(since: mark) < room, self.releaseNext(of: connection) {}
            if self.work.spent(since: mark) >= room { self.leavesMore = true }
            guard !self.leavesMore, !connection.owesAnswers else { return false }
            self.end(connection)
            return true
        }
    }
}
