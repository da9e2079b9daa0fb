import DequeModule
import RacProtocol

extension Host {
    func host(_ request: HostCommand, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayUse(request.command, connection) else {
            return self.say(.refused(id, Refusal(self.notUsed)), to: connection)
        }
        if let host = self.commands[request.command]?.host {
            let who = host.connection === connection ? "this" : "another"
            return self.refuse(id, connection, .alreadyHosted, "\(who) connection hosts \(request.command) already")
        }
        guard self.commands.user(connection.id)?.hosted.count ?? 0 < self.limits.commandsPerConnection else {
            let what = "a connection may host \(self.limits.commandsPerConnection) commands"
            return self.refuse(id, connection, .limit, what)
        }
        guard let command = self.commands.use(request.command, most: self.limits.commands) else {
            return self.refuse(id, connection, .limit, self.noMoreCommands)
        }
        let host = self.commands.user(connection)
        command.host = host
        host.hosted[command.id] = command
        self.commands.hostedCount += 1
        self.say(.reply(id, .hosting(command.id)), to: connection)
        self.change(command) { $0.hosted(isWilling: request.isEnabled, isConcurrent: request.isConcurrent) }
    }

    func unhost(_ command: CommandID, _ id: RequestID, _ connection: HostedConnection) {
        guard let command = self.commands.user(connection.id)?.hosted[command] else {
            return self.refuse(id, connection, .notBound, "this connection hosts no command \(command.number)")
        }
        self.unhost(command, answering: id)
        _ = self.releaseNext(of: connection)
    }

    /// A live client hosts a command no more: its executions fail from now on, in this turn or over several.
    func unhost(_ command: NamedCommand, answering id: RequestID? = nil) {
        guard let connection = command.host?.connection else { return }
        self.beginUnhosting(command)
        self.departures[connection.id, default: Departure()].add(command, answering: id)
        if id != nil { connection.waitingUnhosts += 1 }
        self.unhosting.append(connection)
    }

    /// Fails executions of hosts that go, a part of each in turn.
    func goOnUnhosting() {
        guard !self.unhosting.isEmpty else { return }
        let mark = self.work.mark
        let room = max(self.work.room, self.limits.unitsPerTurn / 4)
        while self.work.spent(since: mark) < room, let connection = self.unhosting.popFirst() {
            guard connection.phase == .live || connection.phase == .evicted else { continue }
            if self.releaseNext(of: connection) {
                self.unhosting.append(connection)
            } else {
                self.departures[connection.id] = nil
            }
        }
    }

    /// The host of a command goes: no execution begins, and those that run fail before its place is free.
    func beginUnhosting(_ command: NamedCommand) {
        guard command.failing == nil else { return }
        command.failing = Deque(command.executions.values.sorted { $0.id.number < $1.id.number })
        command.host?.hosted[command.id] = nil
        self.work.spend(command.executions.count)
    }

    /// Fails the next executions of a command whose host goes.
    ///
    /// They are as many as a quarter of a turn takes, and one at least.
    ///
    /// - Returns: Whether the command has no host any more.
    func goOnUnhosting(_ command: NamedCommand) -> Bool {
        let units = Work.answer * (1 + command.observers.count)
        var batch: [HostedExecution] = []
        while units * batch.count < self.limits.unitsPerTurn / 4, let execution = command.failing?.popFirst() {
            if self.commands.executions[execution.id] != nil { batch.append(execution) }
        }
        let isLast = command.failing?.isEmpty != false
        let error = WireError(.hostLost, "the host of \(command.name) has gone")
        // The notified observers cost units for themselves.
        self.work.spend(Work.answer * batch.count)
        let before = command.machine.shown
        self.settle(batch, .failed(error), of: command) { machine in
            if isLast { machine.unhosted() } else { batch.forEach { _ in machine.ended() } }
        }
        guard isLast else { return false }
        // A host that allowed no execution leaves the state as it is. An observer may wait for the place.
        if command.machine.shown == before { self.tellState(of: command) }
        command.failing = nil
        command.host = nil
        self.commands.hostedCount -= 1
        self.commands.release(command)
        return true
    }

    /// Forgets a command without a host; its observers see the state that they saw before.
    func forget(_ name: CommandName, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayUse(name, connection) else {
            return self.say(.refused(id, Refusal(self.notUsed)), to: connection)
        }
        guard let command = self.commands[name], command.machine.isKnown else {
            return self.say(.refused(id, Refusal(self.noCommand(name))), to: connection)
        }
        if let host = command.host {
            let what = "connection \(host.connection.id.number) hosts \(name): only without a host it is forgotten"
            return self.refuse(id, connection, .alreadyHosted, what)
        }
        self.commands.forget(command)
        self.say(.reply(id, .done), to: connection)
    }

    /// The host's own condition allows or forbids executions.
    func setEnabled(_ command: CommandID, _ isEnabled: Bool, _ connection: HostedConnection) {
        guard let command = self.commands.user(connection.id)?.hosted[command] else { return }
        self.change(command) { $0.conditionChanged(to: isEnabled) }
    }

    func observe(_ name: CommandName, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayUse(name, connection) else {
            return self.say(.refused(id, Refusal(self.notUsed)), to: connection)
        }
        if let error = self.objection(toSubscribing: connection) { return self.refuse(id, connection, error) }
        if let command = self.commands[name], self.commands.user(connection.id)?.observed[command.id] != nil {
            return self.refuse(id, connection, .alreadyBound, "this connection observes \(name) already")
        }
        guard let command = self.commands.use(name, most: self.limits.commands) else {
            return self.refuse(id, connection, .limit, self.noMoreCommands)
        }
        let observer = CommandObserver(connection: connection, command: command)
        command.add(observer)
        self.commands.user(connection).observed[command.id] = observer
        self.say(.reply(id, .observing(command.id, command.machine.shown)), to: connection)
    }

    func unobserve(_ command: CommandID, _ id: RequestID, _ connection: HostedConnection) {
        guard let observer = self.commands.user(connection.id)?.observed.removeValue(forKey: command) else {
            return self.refuse(id, connection, .notBound, "this connection observes no command \(command.number)")
        }
        self.unobserve(observer)
        self.say(.reply(id, .done), to: connection)
    }

    func unobserve(_ observer: CommandObserver) {
        observer.isOver = true
        observer.command.remove(observer)
        self.commands.release(observer.command)
    }

    /// Changes a command, and notifies its observers if its state differs.
    func change(_ command: NamedCommand, _ body: (inout NamedCommandStateMachine) -> Void) {
        let before = command.machine.shown
        body(&command.machine)
        if command.machine.shown != before { self.tellState(of: command) }
    }

    private func tellState(of command: NamedCommand) {
        guard !command.observers.isEmpty else { return }
        self.work.spend(Work.delivery * command.observers.count)
        let state = OutgoingMessage(command.stateMessage)
        for observer in command.observers {
            observer.tell(state: state)
            self.tick.list(observer.connection)
        }
    }

    private var noMoreCommands: String { "the daemon may know \(self.limits.commands) commands" }
}
