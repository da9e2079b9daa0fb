package import RacProtocol

extension Host {
    /// Whether a client's new message may be taken in this turn; one that waits is taken in a later turn.
    package func admits(_ connection: HostedConnection) -> Bool {
        self.work.admits(connection.share, since: self.work.mark)
    }

    /// The units that a client who waits may spend in this turn, beside others that wait.
    package func room(for connection: HostedConnection, among count: Int) -> Int {
        self.work.room(for: connection.share, among: count)
    }

    /// Whether the turn has units left.
    package var hasWorkLeft: Bool { self.work.hasRoom }

    /// Whether the turn has units left for light clients while others wait too.
    package var hasWorkLeftForLight: Bool { self.work.hasRoomForLight }

    /// Whether the last messages of a client were cheap.
    package func isLight(_ connection: HostedConnection) -> Bool { self.work.isLight(connection.share) }

    /// Takes any message of a client but `hello`, and charges the client with the work.
    package func received(_ message: consuming ClientMessage, bytes: Int = 0, from connection: HostedConnection) {
        let mark = self.work.mark
        let before = connection.outgoing.count
        self.work.spend(Work.message + Work.bytes(bytes))
        self.take(message, from: connection)
        self.work.spend(Work.bytes(max(0, connection.outgoing.count - before)))
        self.work.chargeMessage(&connection.share, since: mark)
    }

    private func take(_ message: consuming ClientMessage, from connection: HostedConnection) {
        guard connection.phase == .live else { return }
        self.actor = connection.rights
        defer { self.actor = nil }
        switch message {
        case .send(let send): self.send(send, connection)
        case .request(let id, let request): self.answer(request, id, connection)
        case .progress(let execution, let event): self.progress(execution, event, connection)
        case .cancel(let execution): self.cancel(execution, connection)
        case .enabled(let command, let isEnabled): self.setEnabled(command, isEnabled, connection)
        case .ping: self.say(.pong, to: connection)
        case .pong: break
        case .bye: self.leaves(connection)
        case .hello(let hello):
            let error = WireError(.badMessage, "hello is said once, first")
            self.say(.refused(hello.id, Refusal(error)), to: connection)
        }
    }

    /// A frame held no valid message.
    package func received(_ fault: MessageError, bytes: Int = 0, from connection: HostedConnection) {
        guard connection.phase == .live else { return }
        let mark = self.work.mark
        self.work.spend(Work.message + Work.bytes(bytes))
        self.work.charge(&connection.share, since: mark)
        switch fault.subject {
        case .send(let terminal, let number): self.refuse(number, of: terminal, fault.error, connection)
        case .request(let id): self.say(.refused(id, Refusal(fault.error)), to: connection)
        case .entry(let id, let index):
            var refusal = Refusal(fault.error)
            refusal.index = index
            self.say(.refused(id, refusal), to: connection)
        case nil: self.say(.refused(nil, Refusal(fault.error)), to: connection)
        }
    }

    private func answer(_ request: Request, _ id: RequestID, _ connection: HostedConnection) {
        if let refusal = self.objection(to: request, connection) {
            return self.say(.refused(id, refusal), to: connection)
        }
        switch request {
        case .ping: self.say(.reply(id, .done), to: connection)
        case .bind(let bind): self.bind(bind, id, connection)
        case .unbind(let terminal): self.unbind(terminal, id, connection)
        case .get(let channel): self.get(channel, id, connection)
        case .set(let set): self.set(set, id, connection)
        case .finish(let finish): self.finish(finish, id, connection)
        case .reopen(let order): self.reopen(order, id, connection)
        case .delete(let order): self.delete(order, id, connection)
        case .create(let create): self.create(create, id, connection)
        case .put(let put): self.put(put, id, connection)
        case .list(let list): self.list(list, id, connection)
        case .commands(let list): self.listCommands(list, id, connection)
        case .who(let who): self.who(who, id, connection)
        case .watch(let pattern): self.watch(pattern, id, connection)
        case .unwatch(let watch): self.unwatch(watch, id, connection)
        case .host(let host): self.host(host, id, connection)
        case .unhost(let command): self.unhost(command, id, connection)
        case .exec(let exec): self.exec(exec, id, connection)
        case .observe(let command): self.observe(command, id, connection)
        case .unobserve(let command): self.unobserve(command, id, connection)
        case .forget(let command): self.forget(command, id, connection)
        }
    }

    /// Refuses a request with an error.
    func refuse(_ id: RequestID, _ connection: HostedConnection, _ error: WireError) {
        self.say(.refused(id, Refusal(error)), to: connection)
    }

    func refuse(_ id: RequestID, _ connection: HostedConnection, _ code: ErrorCode, _ message: String) {
        self.say(.refused(id, Refusal(WireError(code, message))), to: connection)
    }

    /// Answers a change at once, or when it is on disk.
    func reply(_ reply: Reply, _ id: RequestID, _ connection: HostedConnection, sync: Bool) {
        guard sync, let ticket = self.awaitDisk() else {
            return self.say(.reply(id, reply), to: connection)
        }
        let content = WaitingAnswer.Content.reply(id, reply)
        self.waits.add(WaitingAnswer(ticket: ticket, connection: connection, content: content, wantsDisk: true))
    }

    func answer(
        _ outcome: ChangeOutcome,
        on name: ChannelName,
        _ id: RequestID,
        _ connection: HostedConnection,
        sync: Bool
    ) {
        switch outcome {
        case .applied(let revision): self.reply(.revision(revision), id, connection, sync: sync)
        case .unchanged(let standing):
            let revision = self.readable(standing.revision, of: name, connection)
            self.reply(.revision(revision), id, connection, sync: sync)
        case .refused(let refusal): self.say(.refused(id, self.readable(refusal, of: name, connection)), to: connection)
        }
    }
}
