import RacProtocol

extension Host {
    func exec(_ exec: Exec, _ id: RequestID, _ connection: HostedConnection) {
        guard self.mayUse(exec.command, connection) else {
            return self.say(.refused(id, Refusal(self.notUsed)), to: connection)
        }
        guard let command = self.commands[exec.command] else {
            return self.say(.refused(id, Refusal(self.noCommand(exec.command))), to: connection)
        }
        let caller = self.commands.user(connection)
        if let error = self.objection(to: exec, command) ?? self.lackOfRoom(for: exec, command, caller) {
            return self.say(.refused(id, Refusal(error)), to: connection)
        }
        let execution = self.commands.start(command, for: caller)
        // Observers are notified before the work begins.
        self.change(command) { $0.started() }
        self.say(.reply(id, .executing(execution.id)), to: connection)
        let execute = Execute(command: command.id, execution: execution.id, input: exec.input)
        self.sayToHost(of: execution, .execute(execute))
    }

    /// The error for a command that may not be executed now.
    private func objection(to exec: Exec, _ command: NamedCommand) -> WireError? {
        guard command.failing == nil else { return self.noHost(exec.command) }
        return switch command.machine.judgeExecution() {
        case .accepted: nil
        case .unknown: self.noCommand(exec.command)
        case .hostless: self.noHost(exec.command)
        case .unwilling: WireError(.notEnabled, "the host of \(exec.command) does not allow it now")
        case .busy: WireError(.notEnabled, "\(exec.command) is running, and runs once at a time")
        }
    }

    private func noHost(_ name: CommandName) -> WireError { WireError(.notHosted, "nobody hosts \(name) now") }

    func noCommand(_ name: CommandName) -> WireError {
        WireError(.noSuchCommand, "there is no command \(name)")
    }

    /// The error for an execution that its caller or its host has no room for.
    private func lackOfRoom(for exec: Exec, _ command: NamedCommand, _ caller: CommandUser) -> WireError? {
        let most = self.limits.executionsPerConnection
        guard caller.calls.count < most else {
            return WireError(.limit, "a connection may have \(most) executions under way")
        }
        guard let host = command.host else { return nil }
        guard host.work < most else {
            return WireError(.limit, "the host of \(exec.command) is at work on \(most) executions already")
        }
        guard host.connection.outgoing.count + (exec.input?.byteCount ?? 0) <= self.limits.bytesPerConnection
        else {
            return WireError(.limit, "the host of \(exec.command) has not taken what was sent to it yet")
        }
        return nil
    }

    /// A host sends an event of an execution; an execution that has ended meanwhile has no caller to notify.
    ///
    /// The executions of a host that goes fail, whatever it still says of them.
    func progress(_ id: ExecutionID, _ event: ExecutionEvent, _ connection: HostedConnection) {
        guard let execution = self.commands.executions[id], execution.command.host?.connection === connection,
            execution.command.failing == nil
        else { return }
        switch event {
        case .next(let value): self.relay(value, of: execution, from: connection)
        case .ended(let end):
            self.settle([execution], end, of: execution.command) { $0.ended() }
        }
    }

    private func relay(_ value: JSONText, of execution: HostedExecution, from host: HostedConnection) {
        guard case .tellCaller = execution.machine.value() else { return }
        if let error = self.objection(to: value, host) {
            self.tellObservers(of: execution, error)
            self.end(execution, because: error)
        } else if execution.relay(value) {
            self.tick.list(execution.connection)
        } else {
            self.noteLimit(execution.tooSlow, of: execution.connection)
            self.end(execution, because: execution.tooSlow)
        }
    }

    /// Ends an execution for its caller; it counts as under way until its host, which is asked to cancel it, has ended it.
    private func end(_ execution: HostedExecution, because error: WireError) {
        execution.finish(.failed(error))
        self.tick.list(execution.connection)
        self.abandon(execution)
    }

    /// Ends executions.
    ///
    /// Observers are notified of an error first, then of the command's new state. The callers get the end last and may
    /// execute the command again.
    func settle(
        _ executions: [HostedExecution],
        _ end: ChannelEnd,
        of command: NamedCommand,
        _ change: (inout NamedCommandStateMachine) -> Void
    ) {
        for execution in executions {
            self.commands.end(execution)
            command.host?.work -= 1
            guard case .failed(let error) = end, case .tellAll = execution.machine.ended() else { continue }
            self.tellObservers(of: execution, error)
        }
        self.change(command, change)
        for execution in executions {
            switch execution.machine.ended() {
            case .tellAll, .tellCaller: self.tellCaller(of: execution, end)
            case .nothing: break
            }
        }
    }

    private func tellCaller(of execution: HostedExecution, _ end: ChannelEnd) {
        execution.caller.calls[execution.id] = nil
        execution.finish(end)
        self.tick.list(execution.connection)
    }

    private func tellObservers(of execution: HostedExecution, _ error: WireError) {
        let command = execution.command
        guard !command.observers.isEmpty else { return }
        self.work.spend(Work.delivery * command.observers.count)
        let message = OutgoingMessage(.failed(command.id, execution.id, error))
        for observer in command.observers {
            observer.tell(error: message) {
                let bytes = observer.connection.bytes(of: message)
                let error = WireError(.slowConsumer, "an error of \(bytes) bytes was too much to keep")
                return OutgoingMessage(.failed(command.id, execution.id, error))
            }
            self.tick.list(observer.connection)
        }
    }

    /// A caller cancels an execution; one that has ended meanwhile needs no answer.
    func cancel(_ id: ExecutionID, _ connection: HostedConnection) {
        guard let execution = self.commands.user(connection.id)?.calls[id] else { return }
        self.obey(execution.machine.cancelled(), execution)
    }

    /// An execution goes on without its caller.
    func abandon(_ execution: HostedExecution) {
        execution.caller.calls[execution.id] = nil
        self.obey(execution.machine.abandoned(), execution)
    }

    private func obey(_ action: ExecutionStateMachine.OnUnwanted, _ execution: HostedExecution) {
        switch action {
        case .tellHost: self.sayToHost(of: execution, .cancel(execution.id))
        case .nothing: break
        }
    }

    private func sayToHost(of execution: HostedExecution, _ message: ServerMessage) {
        guard let host = execution.command.host else { return }
        self.say(message, to: host.connection)
    }
}
