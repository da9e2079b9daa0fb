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
    private let eventLoop: any EventLoop
    let limits: ConnectionLimits
    package let commands: CommandDispatcher
    private let replyTimeout: TimeAmount
    private var pending: PendingRequests
    private var waiting: [RequestID: WhenAnswered] = [:]
    private var terminals: [TerminalID: any TerminalListener] = [:]
    private var watches: [WatchID: any WatchListener] = [:]
    /// Listeners whose bind has no answer yet.
    private var binding: [RequestID: any TerminalListener] = [:]
    /// Listeners whose watch has no answer yet.
    private var watching: [RequestID: any WatchListener] = [:]
    /// Called with the time at which ``expire(at:_:)`` is to be called.
    var onDue: (NIODeadline) -> Void = { _ in }
    /// Tasks that wait until the socket takes more.
    var room = WaitingLine()
    /// Callbacks for the moment when the socket takes more.
    private var roomWaiters: [() -> Void] = []
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
        for terminal in self.terminals.values { terminal.finish(error) }
        for watch in self.watches.values { watch.finish(error) }
        self.room.release(.failure(error))
        self.terminals = [:]
        self.watches = [:]
        self.binding = [:]
        self.watching = [:]
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

    /// Enters the listener before anything else of the same read is looked at: its events may be there already.
    private func setUp(_ reply: Reply, to request: Request?, _ id: RequestID) -> Answer {
        switch (reply, request) {
        case (.bound(let bound), .bind(let bind)):
            if let listener = self.binding.removeValue(forKey: id) {
                self.enter(listener, as: bound.terminal)
                listener.bound(bound)
                return .reply(reply)
            }
            let terminal = Terminal(bound, of: bind.channel, limits: self.limits) { [weak self] channel, answered in
                self?.askForValue(of: channel, answered)
            }
            self.enter(terminal, as: bound.terminal)
            return .bound(bound, NIOLoopBound(terminal, eventLoop: self.eventLoop))
        case (.watching(let watch), _):
            if let listener = self.watching.removeValue(forKey: id) {
                self.enter(listener, as: watch)
                return .reply(reply)
            }
            let feed = WatchFeed(watch, limits: self.limits)
            self.enter(feed, as: watch)
            return .watching(NIOLoopBound(feed, eventLoop: self.eventLoop))
        default: return .reply(reply)
        }
    }

    private func askForValue(of channel: ChannelName, _ answered: @escaping (Valuation?) -> Void) {
        self.ask(.get(channel), as: self.nextID()) { result in
            guard case .success(.reply(.got(let got))) = result else { return answered(nil) }
            answered(got.standing)
        }
    }

    /// Enters a terminal's listener; an earlier one of the same terminal gets no more events.
    private func enter(_ listener: any TerminalListener, as terminal: TerminalID) {
        self.terminals.updateValue(listener, forKey: terminal)?.finish(nil)
    }

    private func enter(_ listener: any WatchListener, as watch: WatchID) {
        self.watches.updateValue(listener, forKey: watch)?.finish(nil)
    }
}

// MARK: Terminals and watches

extension Dispatcher {
    func received(_ message: ServerMessage) {
        switch message {
        case .reply(let id, let reply): self.replied(id, reply)
        case .refused(let id?, let refusal):
            self.binding[id] = nil
            self.watching[id] = nil
            guard self.pending.refused(id) else { return }
            self.waiting.removeValue(forKey: id)?(.failure(ClientError(refusal)))
        case .next(let id, let valuation): self.arrived(valuation, for: id)
        case .ended(let id, let end, let revision):
            self.notify(id) { $0.ended(TerminalEnd(end, revision: revision)) }
        case .ack(let id, let number, let revision): self.notify(id) { $0.acknowledged(number, as: revision) }
        case .unchanged(let id, let number, let standing):
            self.notify(id) { $0.changedNothing(number, standing: standing) }
        case .nak(let id, let number, let refusal): self.notify(id) { $0.refused(number, refusal) }
        case .changed(let changed):
            guard let listener = self.watches[changed.watch], !listener.changed(changed) else { return }
            self.leave(changed.watch, of: listener)
        case .synced(let id): self.watches[id]?.synced()
        case .execute, .progress, .cancel, .state, .failed: self.commands.received(message)
        case .welcome, .refused, .ping, .pong: break
        }
    }

    /// Another program's value came for a terminal.
    func arrived(_ valuation: Valuation, for id: TerminalID) {
        guard let listener = self.terminals[id], !listener.arrived(valuation) else { return }
        self.leave(id, of: listener)
    }

    private func notify(_ id: TerminalID, _ event: (any TerminalListener) -> Void) {
        guard let listener = self.terminals[id] else { return }
        event(listener)
        if listener.isOver { self.forget(id, of: listener) }
    }

    /// Unbinds a terminal and ends its listener.
    func leave(_ terminal: TerminalID, of listener: any TerminalListener) {
        self.unbind(terminal, of: listener)
        listener.finish(nil)
    }

    /// Ends a watch and its listener.
    func leave(_ watch: WatchID, of listener: any WatchListener) {
        self.unwatch(watch, of: listener)
        listener.finish(nil)
    }
}

// MARK: Listeners of their own

extension Dispatcher {
    /// Binds a terminal for a listener, which gets its events from the reply on.
    package func bind(_ bind: Bind, for listener: any TerminalListener, whenRefused: @escaping (ClientError) -> Void) {
        let id = self.askPatiently(.bind(bind)) { result in
            if case .failure(let error) = result { whenRefused(error) }
        }
        if self.pending.request(id) != nil { self.binding[id] = listener }
    }

    /// Unbinds a terminal; its listener gets no more events.
    package func unbind(_ terminal: TerminalID, of listener: any TerminalListener) {
        guard self.forget(terminal, of: listener) else { return }
        self.tell(.unbind(terminal))
    }

    /// Forgets a terminal's listener; returns whether it was the one entered.
    @discardableResult
    func forget(_ terminal: TerminalID, of listener: any TerminalListener) -> Bool {
        guard self.terminals[terminal] === listener else { return false }
        self.terminals[terminal] = nil
        return true
    }

    /// Watches a pattern for a listener, which gets its events from the reply on.
    package func watch(
        _ pattern: ChannelPattern,
        for listener: any WatchListener,
        whenAnswered: @escaping (Result<WatchID, ClientError>) -> Void
    ) {
        let id = self.askPatiently(.watch(pattern)) { result in
            switch result {
            case .success(.reply(.watching(let watch))): whenAnswered(.success(watch))
            case .success: break
            case .failure(let error): whenAnswered(.failure(error))
            }
        }
        if self.pending.request(id) != nil { self.watching[id] = listener }
    }

    /// Ends a watch; its listener gets no more events.
    package func unwatch(_ watch: WatchID, of listener: any WatchListener) {
        guard self.watches[watch] === listener else { return }
        self.watches[watch] = nil
        self.tell(.unwatch(watch))
    }

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
