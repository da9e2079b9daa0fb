package import NIOCore
package import RacProtocol

/// The routes of a connection that stands: answers to their requests, events to the listeners of terminals and watches.
///
/// Isolation: the connection's event loop.
package final class Dispatcher {
    /// The answer to a request, with the terminal or watch that it set up on this side.
    package enum Answer: Sendable {
        case reply(Reply)
        case bound(Bound, NIOLoopBound<Terminal>)
        case watching(NIOLoopBound<WatchFeed>)
    }

    /// Called once, with the answer or the error instead of it.
    package typealias WhenAnswered = (Result<Answer, ClientError>) -> Void

    private let outbox: Outbox
    let eventLoop: any EventLoop
    let limits: ConnectionLimits
    package let commands: CommandDispatcher
    private let replyTimeout: TimeAmount
    private var pending: PendingRequests
    private var waiting: [RequestID: WhenAnswered] = [:]
    var listeners = ListenerTable()
    /// The daemon's epoch; nil before its welcome.
    var epoch: String?
    /// The rests of bindings over earlier connections, whose next bind has no answer yet.
    var resumptions: [RequestID: BindingRest] = [:]
    /// Called with the time at which ``expire(at:_:)`` is to be called.
    var onDue: (NIODeadline) -> Void = { _ in }
    /// Tasks that wait until the socket takes more.
    var room = WaitingLine()
    /// Callbacks for the moment when the socket takes more.
    private(set) var roomWaiters: [() -> Void] = []
    /// The error that ended the connection; nil while it stands.
    package private(set) var end: ClientError?

    init(outbox: Outbox, eventLoop: any EventLoop, configuration: ConnectionConfiguration) {
        self.outbox = outbox
        self.commands = CommandDispatcher(outbox: outbox)
        self.eventLoop = eventLoop
        self.limits = configuration.limits
        self.replyTimeout = TimeAmount(configuration.replyTimeout)
        self.pending = PendingRequests(maximumCount: configuration.limits.requestsUnderWay)
    }

    /// The connection is lost: every pending request and every listener gets the error.
    func finish(_ error: ClientError) {
        guard self.end == nil else { return }
        self.end = error
        let waiting = self.waiting.sorted { $0.key.number < $1.key.number }
        self.waiting = [:]
        for (_, answered) in waiting { answered(.failure(error)) }
        for terminal in self.listeners.terminals.values { terminal.finish(error) }
        for watch in self.listeners.watches.values { watch.finish(error) }
        self.room.release(.failure(error))
        self.listeners = ListenerTable()
        self.commands.finish(error)
        self.roomWaiters = []
    }
}

@available(*, unavailable)
extension Dispatcher: Sendable {}

// MARK: Requests

extension Dispatcher {
    func nextID() -> RequestID {
        self.pending.nextID()
    }

    func request(_ id: RequestID) -> Request? {
        self.pending.request(id)
    }

    /// The earliest time at which a pending request expires.
    var nextDue: NIODeadline? { self.pending.nextDue }

    func ask(_ request: Request, as id: RequestID, _ whenAnswered: @escaping WhenAnswered) {
        self.ask(request, as: id, due: self.eventLoop.now + self.replyTimeout, whenAnswered)
    }

    /// Sends a request that stays pending as long as the connection stands.
    @discardableResult
    package func askPatiently(_ request: Request, _ whenAnswered: @escaping WhenAnswered) -> RequestID {
        let id = self.nextID()
        self.ask(request, as: id, due: .distantFuture, whenAnswered)
        return id
    }

    private func ask(
        _ request: Request,
        as id: RequestID,
        due: NIODeadline,
        _ whenAnswered: @escaping WhenAnswered
    ) {
        do {
            try self.send(request, as: id, due: due)
            self.waiting[id] = whenAnswered
            if due < .distantFuture { self.onDue(due) }
        } catch {
            whenAnswered(.failure(error))
        }
    }

    private func send(_ request: Request, as id: RequestID, due: NIODeadline?) throws(ClientError) {
        if let end = self.end { throw end }
        guard self.pending.asked(request, as: id, due: due) else {
            throw ClientError(.limit, "\(self.limits.requestsUnderWay) requests of this program have no answer yet")
        }
        do {
            try self.outbox.write(.request(id, request))
        } catch {
            _ = self.pending.refused(id)
            throw error
        }
    }

    /// Sends a request and ignores its answer.
    ///
    /// It fails only on a connection that has ended, where nothing is left to undo.
    package func tell(_ request: Request) {
        try? self.send(request, as: self.pending.nextID(), due: nil)
    }

    /// Nobody waits for that answer any more.
    package func abandon(_ id: RequestID) {
        self.pending.abandoned(id)
        self.waiting.removeValue(forKey: id)?(.failure(.cancelledWait))
    }

    func expire(at now: NIODeadline, _ error: ClientError) {
        for id in self.pending.expired(at: now) {
            self.waiting.removeValue(forKey: id)?(.failure(error))
        }
    }

    private func replied(_ id: RequestID, _ reply: Reply) {
        let request = self.pending.request(id)
        switch self.pending.answered(id, reply) {
        case .handOver: self.waiting.removeValue(forKey: id)?(.success(self.setUp(reply, to: request, id)))
        case .takeBack(let request): self.tell(request)
        case .cancel(let execution): self.commands.say(.cancel(execution))
        case .nothing: break
        }
    }
}

// MARK: Routes

extension Dispatcher {
    func received(_ message: ServerMessage) {
        switch message {
        case .reply(let id, let reply): self.replied(id, reply)
        case .refused(let id?, let refusal):
            self.listeners.refused(id)
            self.resumptions[id] = nil
            guard self.pending.refused(id) else { return }
            self.waiting.removeValue(forKey: id)?(.failure(ClientError(refusal)))
        case .next(let id, let valuation): self.arrived(valuation, for: id)
        case .ended(let id, let end, let revision):
            self.notify(id) { $0.ended(TerminalEnd(end, revision: revision)) }
        case .deleted(let id, let revision):
            self.notify(id) { $0.ended(TerminalEnd(.completed, revision: revision)) }
        case .ack(let id, let number, let revision): self.notify(id) { $0.acknowledged(number, as: revision) }
        case .unchanged(let id, let number, let standing):
            self.notify(id) { $0.changedNothing(number, standing: standing) }
        case .nak(let id, let number, let refusal): self.notify(id) { $0.refused(number, refusal) }
        case .changed(let changed):
            guard let listener = self.listeners.watches[changed.watch], !listener.changed(changed) else { return }
            self.leave(changed.watch, of: listener)
        case .synced(let id): self.listeners.watches[id]?.synced()
        case .execute, .progress, .cancel, .state, .failed, .unhosted: self.commands.received(message)
        case .welcome, .refused, .ping, .pong: break
        }
    }
}

// MARK: Room

extension Dispatcher {
    /// Whether the socket takes more.
    package var hasRoom: Bool { self.outbox.hasRoom }

    /// Writes a message that has no answer, such as a send, without waiting for room.
    package func say(_ message: ClientMessage) throws(ClientError) {
        if let end = self.end { throw end }
        try self.outbox.write(message)
    }

    /// Calls back once when the socket takes more.
    package func whenRoom(_ callBack: @escaping () -> Void) {
        self.roomWaiters.append(callBack)
    }

    /// The socket takes more.
    func madeRoom() {
        self.room.release()
        let waiters = self.roomWaiters
        self.roomWaiters = []
        for callBack in waiters { callBack() }
    }
}
