package import NIOCore
import RacProtocol

/// One connection to a daemon, from hello to bye. It ends once and does not come back.
///
/// Isolation: the connection's event loop, where everything that a program asks for is written in the order of asking.
/// Semantics: protocol.md, "Connections".
package actor DaemonConnection {
    package nonisolated let address: DaemonAddress
    package nonisolated let eventLoop: any EventLoop
    private let handler: NIOLoopBound<DaemonConnectionHandler>
    private var lastTicket: UInt64 = 0

    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        self.eventLoop.executor.asUnownedSerialExecutor()
    }

    /// Puts a connection on a channel that is connected or is about to be; called on the channel's event loop.
    package init(
        on channel: any NIOCore.Channel,
        to address: DaemonAddress,
        configuration: ConnectionConfiguration = ConnectionConfiguration()
    ) throws {
        let handler = DaemonConnectionHandler(
            address: address,
            configuration: configuration,
            eventLoop: channel.eventLoop
        )
        self.address = address
        self.eventLoop = channel.eventLoop
        self.handler = NIOLoopBound(handler, eventLoop: channel.eventLoop)
        try channel.pipeline.syncOperations.addHandler(handler)
    }

    /// Waits for the daemon's welcome.
    ///
    /// - Throws: ``ClientError`` with code `unreachable`, `timedOut`, `cancelled`, or what the daemon refused with.
    package func welcomed() async throws(ClientError) {
        try await self.wait { $0.whenReady($1, $2) }
    }

    /// Says bye and waits until the daemon has ended the connection, no longer than `Configuration.byeTimeout`.
    ///
    /// An orderly end: no will is applied. Cancelling the task does not stop the wait.
    package func close() async {
        let ticket = self.nextTicket()
        _ = await withCheckedContinuation { self.handler.value.leave(ticket, $0) }
    }

    /// Ends the connection without a bye, as if this program were lost: its wills are applied.
    package func abandon() async {
        let ticket = self.nextTicket()
        _ = await withCheckedContinuation { self.handler.value.abandon(ticket, $0) }
    }

    /// Asks the daemon and waits for its answer, no longer than `Configuration.replyTimeout`.
    ///
    /// Cancelling the task stops the wait, not the request.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - rest: The rest of a binding over an earlier connection, if the request is its next bind.
    /// - Returns: The answer.
    /// - Throws: ``ClientError`` with the code of the daemon's refusal, or `connectionLost`, `timedOut`, `cancelled`,
    ///   `tooLarge`, `limit`.
    func answer(to request: Request, after rest: BindingRest? = nil) async throws(ClientError) -> Dispatcher.Answer {
        let id = self.handler.value.dispatcher.nextID()
        if let rest { self.dispatcher.resumptions[id] = rest }
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.handler.value.dispatcher.ask(request, as: id) { continuation.resume(returning: $0) }
            }
        } onCancel: {
            self.eventLoop.execute { self.handler.value.dispatcher.abandon(id) }
        }
        return try result.get()
    }

    /// Sends values into a terminal: the first one once there is room, and others as long as there is.
    ///
    /// There is room while the socket takes bytes, and not too many sends are on their way.
    ///
    /// - Returns: The number of values that were sent, one at least.
    func send(
        _ values: ArraySlice<JSONText>,
        sync: Bool,
        into terminal: NIOLoopBound<Terminal>
    ) async throws(ClientError) -> Int {
        guard let first = values.first else { return 0 }
        try await self.waitForRoom(in: terminal)
        try self.write(first, sync: sync, into: terminal.value)
        var count = 1
        for value in values.dropFirst() {
            guard self.handler.value.hasRoom, terminal.value.hasRoom,
                (try? self.write(value, sync: sync, into: terminal.value)) != nil
            else { break }
            count += 1
        }
        return count
    }

    private func waitForRoom(in terminal: NIOLoopBound<Terminal>) async throws(ClientError) {
        while true {
            if !self.handler.value.hasRoom {
                try await self.waitForRoom()
            } else if terminal.value.acceptsSends, !terminal.value.hasRoom {
                try await self.wait(
                    { _, ticket, continuation in terminal.value.room.join(ticket, continuation) },
                    cancel: { terminal.value.room.cancel($0) }
                )
            } else {
                return
            }
        }
    }

    private func write(_ value: JSONText, sync: Bool, into terminal: Terminal) throws(ClientError) {
        if let end = self.dispatcher.end { throw end }
        guard terminal.acceptsSends else {
            throw ClientError(.terminated, "the channel, or this binding to it, has ended")
        }
        let send = terminal.nextSend(.next(value, condition: nil, cause: nil), sync: sync)
        try self.dispatcher.say(.send(send))
        terminal.sent(send)
    }

    func rest(of terminal: NIOLoopBound<Terminal>) -> BindingRest { terminal.value.rest() }

    /// Waits until every send of a terminal is answered.
    func settled(_ terminal: NIOLoopBound<Terminal>) async throws(ClientError) {
        guard let unknown = terminal.value.unknownOutcome else { return }
        if let end = self.dispatcher.end { throw end }
        if terminal.value.isOver { throw unknown }
        try await self.wait(
            { _, ticket, continuation in terminal.value.settled.join(ticket, continuation) },
            cancel: { terminal.value.settled.cancel($0) }
        )
    }

    func nextEvent(of terminal: NIOLoopBound<Terminal>) async throws(ClientError) -> BindingEvent? {
        let taken = await withTaskCancellationHandler {
            await withCheckedContinuation { self.take(from: terminal, $0) }
        } onCancel: {
            self.eventLoop.execute { terminal.value.cancelTaking() }
        }
        return try taken.get()
    }

    /// The next event of a watch, and those that have come with it; none at the end.
    func nextEvents(of watch: NIOLoopBound<WatchFeed>) async throws(ClientError) -> [WatchEvent] {
        guard let first = try await self.nextEvent(of: watch) else { return [] }
        return [first] + watch.value.takeMore()
    }

    private func nextEvent(of watch: NIOLoopBound<WatchFeed>) async throws(ClientError) -> WatchEvent? {
        let taken = await withTaskCancellationHandler {
            await withCheckedContinuation { self.take(from: watch, $0) }
        } onCancel: {
            self.eventLoop.execute { watch.value.cancelTaking() }
        }
        return try taken.get()
    }

    // A closure runs on this actor only if it uses it: hence these two.

    private func take(
        from terminal: NIOLoopBound<Terminal>,
        _ continuation: CheckedContinuation<Mailbox<BindingQueue>.Taken, Never>
    ) {
        terminal.value.take(continuation)
    }

    private func take(
        from watch: NIOLoopBound<WatchFeed>,
        _ continuation: CheckedContinuation<Mailbox<WatchQueue>.Taken, Never>
    ) {
        watch.value.take(continuation)
    }

    func leave(_ terminal: NIOLoopBound<Terminal>) {
        self.dispatcher.leave(terminal.value.id, of: terminal.value)
    }

    func leave(_ watch: NIOLoopBound<WatchFeed>) {
        self.dispatcher.leave(watch.value.id, of: watch.value)
    }

    /// Joins a line of waiting tasks, and leaves it when the task is cancelled.
    ///
    /// The cancellation goes over the event loop, so it comes after the joining, which happens in this very turn.
    private func wait(
        _ join: (DaemonConnectionHandler, Ticket, WaitingLine.Continuation) -> Void,
        cancel: (@Sendable (Ticket) -> Void)? = nil
    ) async throws(ClientError) {
        let ticket = self.nextTicket()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { join(self.handler.value, ticket, $0) }
        } onCancel: {
            self.eventLoop.execute {
                self.handler.value.cancel(ticket)
                cancel?(ticket)
            }
        }
        try result.get()
    }

    /// The messages of the connection; used on its event loop.
    var dispatcher: Dispatcher { self.handler.value.dispatcher }

    /// Whether the daemon has ended the connection for a limit, and not a request on it.
    package var hasReachedLimit: Bool { self.dispatcher.end?.code == .limit }

    /// Waits until the socket takes bytes.
    func waitForRoom() async throws(ClientError) {
        while !self.handler.value.hasRoom { try await self.wait { $0.dispatcher.room.join($1, $2) } }
    }

    /// Nobody waits for that answer any more.
    nonisolated func abandon(_ id: RequestID) {
        self.eventLoop.execute { self.handler.value.dispatcher.abandon(id) }
    }

    private func nextTicket() -> Ticket {
        self.lastTicket += 1
        return Ticket(number: self.lastTicket)
    }
}
