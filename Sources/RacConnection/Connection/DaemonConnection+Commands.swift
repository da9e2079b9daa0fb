import NIOCore
package import RacProtocol

extension DaemonConnection {
    /// Hosts a command.
    ///
    /// - Throws: ``ClientError`` with code `alreadyHosted`, `forbidden` or `limit`, or what ``answer(to:after:)`` throws.
    package func host(_ request: HostCommand) async throws(ClientError) -> CommandHosting {
        let (command, feed) = try await self.answer(to: .host(request)) {
            reply,
            dispatcher -> (CommandID, CommandFeed<HostingQueue>)? in
            guard case .hosting(let command) = reply else { return nil }
            let feed = CommandFeed(HostingQueue(maximumExecutions: dispatcher.limits.waitingExecutions))
            dispatcher.commands.enter(feed, as: command)
            return (command, feed)
        }
        return CommandHosting(command, connection: self, feed: feed)
    }

    /// Observes a command, which may not have been hosted yet.
    ///
    /// - Throws: ``ClientError`` with code `alreadyBound`, `forbidden` or `limit`, or what ``answer(to:after:)`` throws.
    package func observe(_ name: CommandName) async throws(ClientError) -> CommandObservation {
        let (command, feed) = try await self.answer(to: .observe(name)) {
            reply,
            dispatcher -> (CommandID, CommandFeed<ObservationQueue>)? in
            guard case .observing(let command, let state) = reply else { return nil }
            let feed = CommandFeed(ObservationQueue(state, maximumErrors: dispatcher.limits.waitingErrors))
            dispatcher.commands.enter(feed, as: command)
            return (command, feed)
        }
        return CommandObservation(command, connection: self, feed: feed)
    }

    /// Executes a command.
    ///
    /// - Throws: ``ClientError`` with code `noSuchCommand`, `notHosted`, `notEnabled` or `limit`, or what ``answer(to:after:)`` throws.
    package func execute(_ name: CommandName, _ input: JSONText? = nil) async throws(ClientError) -> CommandCall {
        let request = Request.exec(Exec(command: name, input: input))
        let (execution, feed) = try await self.answer(to: request) {
            reply,
            dispatcher -> (ExecutionID, CommandFeed<CallQueue>)? in
            guard case .executing(let execution) = reply else { return nil }
            let feed = CommandFeed(CallQueue(maximumBytes: dispatcher.limits.waitingBytes))
            dispatcher.commands.enter(feed, as: execution)
            return (execution, feed)
        }
        return CommandCall(execution, connection: self, feed: feed)
    }

    /// Asks the daemon, and sets up what follows before anything else of the same read is looked at.
    private func answer<ID: Sendable, Queue>(
        to request: Request,
        _ setUp: @escaping (Reply, Dispatcher) -> (ID, CommandFeed<Queue>)?
    ) async throws(ClientError) -> (ID, NIOLoopBound<CommandFeed<Queue>>) {
        let id = self.dispatcher.nextID()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.ask(request, as: id, setUp) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            self.abandon(id)
        }
        return try result.get()
    }

    private func ask<ID: Sendable, Queue>(
        _ request: Request,
        as id: RequestID,
        _ setUp: @escaping (Reply, Dispatcher) -> (ID, CommandFeed<Queue>)?,
        _ whenAnswered: @escaping (Result<(ID, NIOLoopBound<CommandFeed<Queue>>), ClientError>) -> Void
    ) {
        let (dispatcher, eventLoop) = (self.dispatcher, self.eventLoop)
        dispatcher.ask(request, as: id) { result in
            let answer = result.flatMap { answer -> Result<(ID, NIOLoopBound<CommandFeed<Queue>>), ClientError> in
                guard case .reply(let reply) = answer, let (id, feed) = setUp(reply, dispatcher) else {
                    return .failure(.wrongAnswer)
                }
                return .success((id, NIOLoopBound(feed, eventLoop: eventLoop)))
            }
            whenAnswered(answer)
        }
    }
}

// MARK: For what stands

extension DaemonConnection {
    /// Says something once the socket takes bytes.
    func say(_ message: ClientMessage) async throws(ClientError) {
        try await self.waitForRoom()
        try self.dispatcher.say(message)
    }

    func nextEvent<Queue>(of feed: NIOLoopBound<CommandFeed<Queue>>) async throws(ClientError) -> Queue.Event? {
        let taken = await withTaskCancellationHandler {
            await withCheckedContinuation { self.take(from: feed, $0) }
        } onCancel: {
            self.eventLoop.execute { feed.value.cancelTaking() }
        }
        return try taken.get()
    }

    // A closure runs on this actor only if it uses it.
    private func take<Queue>(
        from feed: NIOLoopBound<CommandFeed<Queue>>,
        _ continuation: CheckedContinuation<Mailbox<Queue>.Taken, Never>
    ) {
        feed.value.take(continuation)
    }

    func cancel(_ execution: ExecutionID) {
        self.dispatcher.commands.say(.cancel(execution))
    }

    func leaveCall(of execution: ExecutionID, _ feed: NIOLoopBound<CommandFeed<CallQueue>>) {
        self.dispatcher.commands.removeCaller(of: execution)
        feed.value.finish(nil)
    }

    func leaveHost(of command: CommandID, _ feed: NIOLoopBound<CommandFeed<HostingQueue>>) {
        if self.dispatcher.commands.removeHost(of: command) { self.dispatcher.tell(.unhost(command)) }
        feed.value.finish(nil)
    }

    func leaveObserver(of command: CommandID, _ feed: NIOLoopBound<CommandFeed<ObservationQueue>>) {
        if self.dispatcher.commands.removeObserver(of: command) { self.dispatcher.tell(.unobserve(command)) }
        feed.value.finish(nil)
    }
}
