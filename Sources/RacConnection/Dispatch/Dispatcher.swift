package import NIOCore
package import RacProtocol

/// Whom a connection tells what comes for a terminal that it was made for.
package protocol TerminalListener: AnyObject {
    /// The daemon bound it; what follows may come in the same read.
    func bound(_ bound: Bound)
    func arrived(_ valuation: Valuation)
    func ended(_ end: TerminalEnd)
    func acknowledged(_ number: SendNumber, as revision: Revision)
    func changedNothing(_ number: SendNumber, standing: Valuation)
    func refused(_ number: SendNumber, _ refusal: Refusal)
}

/// Whom a connection tells what comes for a watch that it was made for.
package protocol WatchListener: AnyObject {
    func changed(_ changed: Changed)
    func synced()
}

/// The exchange of an established connection: requests and answers, terminals, watches.
///
/// All state is used on the connection's event loop.
package final class Dispatcher {
    /// The answer to a request, and the object that the answer set up on this side.
    package enum Answer: Sendable {
        case reply(Reply)
        case bound(Bound, NIOLoopBound<Terminal>)
        case watching(NIOLoopBound<WatchFeed>)
    }

    /// Called once, with the answer or with what kept it away.
    package typealias WhenAnswered = (Result<Answer, ClientError>) -> Void

    private let outbox: Outbox
    private let eventLoop: any EventLoop
    let limits: ConnectionLimits
    package let commands: CommandDispatcher
    private let replyTimeout: TimeAmount
    private var pending: PendingRequests
    private var waiting: [RequestID: WhenAnswered] = [:]
    private var terminals: [TerminalID: Terminal] = [:]
    private var watches: [WatchID: WatchFeed] = [:]
    private var listeners: [TerminalID: any TerminalListener] = [:]
    private var watchListeners: [WatchID: any WatchListener] = [:]
    /// The requesters that wait for their terminal, or for their watch.
    private var binding: [RequestID: any TerminalListener] = [:]
    private var watching: [RequestID: any WatchListener] = [:]
    /// Called with the time at which ``expire(at:_:)`` is to be called.
    var onDue: (NIODeadline) -> Void = { _ in }
    /// Senders that wait until the socket takes more.
    var room = WaitingLine()
    /// Bindings that wait for the same.
    private var roomWaiters: [() -> Void] = []
    /// Why nothing more can be said; nil while the connection stands.
    package private(set) var end: ClientError?

    init(outbox: Outbox, eventLoop: any EventLoop, configuration: ConnectionConfiguration) {
        self.outbox = outbox
        self.commands = CommandDispatcher(outbox: outbox)
        self.eventLoop = eventLoop
        self.limits = configuration.limits
        self.replyTimeout = TimeAmount(configuration.replyTimeout)
        self.pending = PendingRequests(maximumCount: configuration.limits.requestsUnderWay)
    }

    /// The connection is lost: everybody who waits hears it.
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
        self.listeners = [:]
        self.watchListeners = [:]
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

    /// When the next request's time is over.
    var nextDue: NIODeadline? { self.pending.nextDue }

    func ask(_ request: Request, as id: RequestID, _ whenAnswered: @escaping WhenAnswered) {
        self.ask(request, as: id, due: self.eventLoop.now + self.replyTimeout, whenAnswered)
    }

    /// Asks for something whose answer is waited for as long as the connection stands.
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

    /// Asks for something whose answer nobody waits for.
    ///
    /// It fails only if nothing can be asked any more, and then there is nothing to take back either.
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

    /// Later messages for a terminal or a watch may come in the same read as the reply, so it is known from here on.
    private func setUp(_ reply: Reply, to request: Request?, _ id: RequestID) -> Answer {
        switch (reply, request) {
        case (.bound(let bound), .bind) where self.binding[id] != nil:
            let listener = self.binding.removeValue(forKey: id)
            self.listeners[bound.terminal] = listener
            listener?.bound(bound)
            return .reply(reply)
        case (.watching(let watch), .watch) where self.watching[id] != nil:
            self.watchListeners[watch] = self.watching.removeValue(forKey: id)
            return .reply(reply)
        case (.bound(let bound), .bind(let bind)):
            let terminal = Terminal(bound, of: bind.channel, limits: self.limits)
            // The terminal before it had its end, and waits for answers that will not come to it any more.
            self.terminals.updateValue(terminal, forKey: terminal.id)?.finish(nil)
            return .bound(bound, NIOLoopBound(terminal, eventLoop: self.eventLoop))
        case (.watching(let id), _):
            let watch = WatchFeed(id, limits: self.limits)
            self.watches.updateValue(watch, forKey: id)?.finish(nil)
            return .watching(NIOLoopBound(watch, eventLoop: self.eventLoop))
        default: return .reply(reply)
        }
    }
}

// MARK: Terminals and watches

extension Dispatcher {
    func received(_ message: ServerMessage) {
        guard !self.tellListener(message) else { return }
        switch message {
        case .reply(let id, let reply): self.replied(id, reply)
        case .refused(let id?, let refusal):
            self.binding[id] = nil
            self.watching[id] = nil
            guard self.pending.refused(id) else { return }
            self.waiting.removeValue(forKey: id)?(.failure(ClientError(refusal)))
        case .next(let id, let valuation):
            guard let terminal = self.terminals[id], terminal.arrived(valuation) == .overflows else { return }
            self.leave(terminal)
        case .ended(let id, let end, let revision):
            self.tell(id) { $0.ended(TerminalEnd(end, revision: revision)) }
        case .ack(let id, let number, let revision): self.tell(id) { $0.acknowledged(number, as: revision) }
        case .unchanged(let id, let number, let standing):
            self.tell(id) { $0.changedNothing(number, standing: standing) }
        case .nak(let id, let number, let refusal): self.tell(id) { self.refused($0, number, refusal) }
        case .changed(let changed):
            guard let watch = self.watches[changed.watch], !watch.changed(changed) else { return }
            self.leave(watch)
        case .synced(let id): self.watches[id]?.synced()
        case .execute, .progress, .cancel, .state, .failed: self.commands.received(message)
        case .welcome, .refused, .ping, .pong: break
        }
    }

    /// Says whether the message was for a listener.
    private func tellListener(_ message: ServerMessage) -> Bool {
        switch message {
        case .next(let id, let valuation): self.tellListener(id) { $0.arrived(valuation) }
        case .ended(let id, let end, let revision):
            self.tellListener(id) { $0.ended(TerminalEnd(end, revision: revision)) }
        case .ack(let id, let number, let revision): self.tellListener(id) { $0.acknowledged(number, as: revision) }
        case .unchanged(let id, let number, let standing):
            self.tellListener(id) { $0.changedNothing(number, standing: standing) }
        case .nak(let id, let number, let refusal): self.tellListener(id) { $0.refused(number, refusal) }
        case .changed(let changed): self.tellListener(changed.watch) { $0.changed(changed) }
        case .synced(let id): self.tellListener(id) { $0.synced() }
        case .execute, .progress, .cancel, .state, .failed, .welcome, .reply, .refused, .ping, .pong: false
        }
    }

    private func tellListener(_ id: TerminalID, _ event: (any TerminalListener) -> Void) -> Bool {
        guard let listener = self.listeners[id] else { return false }
        event(listener)
        return true
    }

    private func tellListener(_ id: WatchID, _ event: (any WatchListener) -> Void) -> Bool {
        guard let listener = self.watchListeners[id] else { return false }
        event(listener)
        return true
    }

    private func tell(_ id: TerminalID, _ event: (Terminal) -> Void) {
        guard let terminal = self.terminals[id] else { return }
        event(terminal)
        if terminal.isOver { self.terminals[id] = nil }
    }

    private func refused(_ terminal: Terminal, _ number: SendNumber, _ refusal: Refusal) {
        guard terminal.refused(number, refusal) else { return }
        self.ask(.get(terminal.channel), as: self.nextID()) { result in
            guard case .success(.reply(.got(let got))) = result else { return terminal.stood(at: nil, after: number) }
            terminal.stood(at: got.standing, after: number)
        }
    }

    /// Sends into a terminal; nothing is waited for.
    func send(_ event: Send.Event, sync: Bool, into terminal: Terminal) throws(ClientError) {
        if let end = self.end { throw end }
        guard terminal.acceptsSends else {
            throw ClientError(.terminated, "the channel, or this binding to it, has ended")
        }
        try self.outbox.write(.send(terminal.nextSend(event, sync: sync)))
        terminal.sent()
    }

    /// The program wants no more of a terminal.
    func leave(_ terminal: Terminal) {
        if self.terminals[terminal.id] === terminal {
            self.terminals[terminal.id] = nil
            self.tell(.unbind(terminal.id))
        }
        terminal.finish(nil)
    }

    /// The program wants no more of a watch.
    func leave(_ watch: WatchFeed) {
        if self.watches[watch.id] === watch {
            self.watches[watch.id] = nil
            self.tell(.unwatch(watch.id))
        }
        watch.finish(nil)
    }
}

// MARK: For those who outlive the connection

extension Dispatcher {
    /// Binds, and tells a listener of everything that comes for the terminal from then on.
    package func bind(_ bind: Bind, for listener: any TerminalListener, whenRefused: @escaping (ClientError) -> Void) {
        let id = self.askPatiently(.bind(bind)) { result in
            if case .failure(let error) = result { whenRefused(error) }
        }
        if self.pending.request(id) != nil { self.binding[id] = listener }
    }

    /// Unbinds; the listener hears nothing more.
    package func unbind(_ terminal: TerminalID, of listener: any TerminalListener) {
        guard self.forget(terminal, of: listener) else { return }
        self.tell(.unbind(terminal))
    }

    /// The listener hears nothing more of a terminal; says whether it did until now.
    @discardableResult
    func forget(_ terminal: TerminalID, of listener: any TerminalListener) -> Bool {
        guard self.listeners[terminal] === listener else { return false }
        self.listeners[terminal] = nil
        return true
    }

    /// Watches, and tells a listener of everything that comes for the pattern from then on.
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

    /// Watches no longer; the listener hears nothing more.
    package func unwatch(_ watch: WatchID, of listener: any WatchListener) {
        guard self.watchListeners[watch] === listener else { return }
        self.watchListeners[watch] = nil
        self.tell(.unwatch(watch))
    }

    /// Whether the socket takes more.
    package var hasRoom: Bool { self.outbox.hasRoom }

    /// Says something that has no answer; nothing is waited for.
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

    /// Sends into a terminal; nothing is waited for.
    package func send(_ send: Send) throws(ClientError) {
        if let end = self.end { throw end }
        try self.outbox.write(.send(send))
    }
}
