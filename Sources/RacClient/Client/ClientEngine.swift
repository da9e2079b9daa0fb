import Logging
import NIOCore
import Rac
import RacProtocol

/// Something that a client keeps on the daemon over its connections.
///
/// All of it is used on the client's event loop.
protocol ConnectionUser: AnyObject {
    /// There is a connection; in another epoch the daemon has forgotten sessions and numbers.
    func connected(_ dispatcher: Dispatcher, isNewEpoch: Bool)
    /// The connection is lost, and there will be another one.
    func disconnected()
    /// There will be no connection any more.
    func gone(_ error: ClientError)
    /// Whether nothing of it is on its way: closing waits for that.
    var isSettled: Bool { get }
    /// Returns whether one of the present writes has no answer yet; nil if each has one. A ping waits for the answers.
    var openWrites: (() -> Bool)? { get }
}

extension ConnectionUser {
    var openWrites: (() -> Bool)? { nil }
}

/// The connections of one client, one after the other, and everybody who uses them.
///
/// All state is used on the event loop. It is referred to by its client, its users and what is scheduled for it; after its
/// end by nobody.
final class ClientEngine {
    let eventLoop: any EventLoop
    let address: DaemonAddress
    let configuration: ClientConfiguration
    /// The state for observers of the connection.
    let state: Property<ConnectionState>
    let metrics: ClientMetrics?
    private var machine: ReconnectStateMachine
    private var surroundings: ClientSurroundings
    /// The daemon's epoch while the session lasts; nil before the first connection of a session.
    private var epoch: String?
    /// The mark of changes that come from this client's daemon.
    let mark = ClientMark.next()
    private var handler: DaemonConnectionHandler?
    /// The way of requests to the daemon; nil while there is no connection.
    private(set) var dispatcher: Dispatcher?
    /// Everybody who uses the connection, with a number that gives their order.
    private var users: [ObjectIdentifier: (number: UInt64, user: any ConnectionUser)] = [:]
    private var lastUser: UInt64 = 0
    private var pause: Scheduled<Void>?
    /// The question for a token.
    private var asking: Task<Void, Never>?
    /// Whether the log has a warning that there is no connection; further attempts are noted at debug.
    private var hasWarned = false
    /// Why there will be no connection any more.
    private(set) var end: ClientError?
    /// The program's requests that belong to no terminal.
    let requests: RequestQueue
    /// The users that several parts of the program share, by a key of their own kind.
    private var sharedUsers: [AnyHashable: any ConnectionUser] = [:]
    /// The greatest send number of the bindings that are gone: later ones of their terminals go on above it.
    private(set) var lastSendNumber = SendNumber.none
    /// The commands that are observed and hosted here.
    let commands = ClientCommands()
    /// The closures to call when the last connection has ended.
    private var whenClosed: [() -> Void] = []
    private var closing: Scheduled<Void>?

    init(
        _ address: DaemonAddress,
        _ configuration: ClientConfiguration,
        on eventLoop: any EventLoop,
        in surroundings: ClientSurroundings,
        state: Property<ConnectionState>
    ) {
        self.surroundings = surroundings
        self.address = address
        self.configuration = configuration
        self.eventLoop = eventLoop
        self.state = state
        self.metrics = configuration.metrics.map { ClientMetrics($0, of: configuration.name, at: address) }
        self.machine = ReconnectStateMachine(
            longest: TimeAmount(configuration.longestPause),
            token: configuration.token?.fixed,
            tokenChanges: configuration.token?.changes ?? false
        )
        self.requests = RequestQueue(
            eventLoop: eventLoop,
            address: address,
            timeout: TimeAmount(configuration.replyTimeout)
        )
    }

    func start() {
        if let session = self.configuration.session, !Hello.sessionBytes.contains(session.utf8.count) {
            let range = "\(Hello.sessionBytes.lowerBound) to \(Hello.sessionBytes.upperBound) bytes"
            return self.obey(self.machine.giveUp(), after: ClientError(.badMessage, "a session's name has \(range)"))
        }
        self.obey(self.machine.start())
    }

    /// Does what the machine says; the error is the reason of a pause and of the end.
    private func obey(_ step: ReconnectStateMachine.Step, after error: ClientError = .noConnectionYet) {
        switch step {
        case .connect: self.connect()
        case .askForToken: self.askForToken(after: error)
        case .tryAgain(let due): self.pause(until: due, after: error)
        case .giveUp: self.giveUp(error)
        case .nothing: break
        }
    }

    private func connect() {
        guard self.end == nil else { return }
        // The state is that from the start, so the first attempt changes nothing.
        if self.state.value != .connecting { self.state.value = .connecting }
        var configuration = self.configuration.ofConnections
        configuration.session = self.configuration.session ?? self.surroundings.session
        configuration.token = self.machine.token
        let handler = DaemonConnectionHandler(
            address: self.address,
            configuration: configuration,
            eventLoop: self.eventLoop
        )
        handler.onReady = { [weak self, weak handler] welcome in
            guard let self, let handler else { return }
            self.welcomed(welcome.epoch, handler.dispatcher)
        }
        handler.onEnd = { [weak self] in self?.lost($0) }
        self.handler = handler
        let (address, timeout) = (self.address, TimeAmount(configuration.connectTimeout))
        let bound = NIOLoopBound(handler, eventLoop: self.eventLoop)
        let channel = self.surroundings.dial(self.eventLoop, timeout) { channel in
            channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(bound.value) }
        }
        channel.assumeIsolated().whenComplete { [weak self] result in
            switch result {
            case .success(let channel):
                if let self, self.end == nil { return }
                channel.close(promise: nil)
                // It is not active yet, and a channel that is closed before that says nothing to its handlers.
                self?.lost(ConnectionFault.left.clientError(at: address))
            case .failure(let error): self?.lost(ClientError(connectingTo: address, within: timeout, error))
            }
        }
    }

    private func welcomed(_ epoch: String, _ dispatcher: Dispatcher) {
        self.machine.welcomed(at: self.eventLoop.now)
        let isNewEpoch = epoch != self.epoch
        self.epoch = epoch
        self.dispatcher = dispatcher
        self.log(.info, "connected")
        self.metrics?.connected()
        self.hasWarned = false
        self.state.value = .live
        for user in self.usersInOrder { user.connected(dispatcher, isNewEpoch: isNewEpoch) }
    }

    private func lost(_ error: ClientError) {
        guard self.handler != nil else { return }
        self.handler = nil
        let hadExchange = self.dispatcher != nil
        if hadExchange { self.metrics?.lost() }
        self.dispatcher = nil
        self.requests.loss = error
        guard self.end == nil else { return self.closed() }
        let step: ReconnectStateMachine.Step
        if error.code == .forbidden, self.configuration.session != nil {
            step = self.machine.giveUp()
        } else {
            if error.code == .forbidden { self.beginSession() }
            step = self.machine.lost(because: error.code, at: self.eventLoop.now, random: &self.surroundings.random)
        }
        if step == .askForToken { self.state.value = .lost(error, nextAttempt: .now) }
        self.obey(step, after: error)
        if hadExchange { for user in self.usersInOrder { user.disconnected() } }
    }

    /// Begins a new session, because the old one is that of another principal: the token's principal has changed.
    private func beginSession() {
        self.surroundings.beginSession()
        self.epoch = nil
    }

    private func giveUp(_ error: ClientError) {
        self.log(.error, "gave up", error)
        self.state.value = .refused(error)
        self.finish(error)
        self.closed()
    }

    private func askForToken(after error: ClientError) {
        guard let source = self.configuration.token else { return }
        let engine = NIOLoopBound(self, eventLoop: self.eventLoop)
        let (eventLoop, logger) = (self.eventLoop, self.configuration.logger)
        self.asking = Task {
            let answer: Result<AccessToken?, ClientError>
            do {
                answer = .success(try await source.next { logger?.warning("\($0)") })
            } catch {
                answer = .failure(ClientError(ofTokens: error))
            }
            eventLoop.execute { [answer] in engine.value.told(answer, after: error) }
        }
    }

    private func told(_ answer: Result<AccessToken?, ClientError>, after refusal: ClientError) {
        self.asking = nil
        let now = self.eventLoop.now
        switch answer {
        case .success(let token):
            self.obey(self.machine.told(token, at: now, random: &self.surroundings.random), after: refusal)
        case .failure(let error):
            self.obey(self.machine.toldNothing(at: now, random: &self.surroundings.random), after: error)
        }
    }

    private func pause(until due: NIODeadline, after error: ClientError) {
        let pause = due - self.eventLoop.now
        self.log(self.hasWarned ? .debug : .warning, "no connection", error)
        self.hasWarned = true
        self.state.value = .lost(error, nextAttempt: .now + .nanoseconds(max(0, pause.nanoseconds)))
        self.pause = self.eventLoop.assumeIsolated().scheduleTask(deadline: due) { [weak self] in
            guard let self else { return }
            self.obey(self.machine.pauseIsOver(), after: error)
        }
    }

    /// Requests come last: their answers show that everything else is bound.
    private var usersInOrder: [any ConnectionUser] {
        self.users.values.sorted { $0.number < $1.number }.map(\.user) + [self.requests]
    }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ error: ClientError? = nil) {
        var metadata: Logger.Metadata = ["daemon": "\(self.address)"]
        if let error { metadata["reason"] = "\(error.message)" }
        self.configuration.logger?.log(level: level, message, metadata: metadata)
    }
}

@available(*, unavailable)
extension ClientEngine: Sendable {}

// MARK: Requests

extension ClientEngine {
    /// Asks the daemon, through reconnections; a ping goes out behind the answers to the writes before it.
    func ask(_ request: Request, as ticket: UInt64, _ whenAnswered: @escaping Dispatcher.WhenAnswered) {
        let whenAnswered: Dispatcher.WhenAnswered = { [weak self] answer in
            whenAnswered(answer)
            self?.settled()
        }
        guard case .ping = request else { return self.requests.ask(request, as: ticket, whenAnswered) }
        let open = self.users.values.compactMap(\.user.openWrites)
        self.requests.ask(request, as: ticket, unless: { open.contains { $0() } }, whenAnswered)
    }
}

// MARK: Users

extension ClientEngine {
    /// Adds somebody who uses the connection that there is, and all that come.
    func add(_ user: any ConnectionUser) {
        if let end = self.end { return user.gone(end) }
        self.lastUser += 1
        self.users[ObjectIdentifier(user)] = (self.lastUser, user)
        if let dispatcher = self.dispatcher { user.connected(dispatcher, isNewEpoch: true) }
    }

    /// Forgets a user.
    func forget(_ user: any ConnectionUser) {
        self.users[ObjectIdentifier(user)] = nil
        self.settled()
    }

    /// A binding that is gone has used the send numbers up to that one.
    func used(_ number: SendNumber) {
        self.lastSendNumber = max(self.lastSendNumber, number)
    }

    /// The shared user with that key, if it is of that type.
    func sharedUser<User: ConnectionUser>(_ key: some Hashable, as type: User.Type) -> User? {
        self.sharedUsers[AnyHashable(key)] as? User
    }

    /// Shares a user under a key.
    func share(_ user: any ConnectionUser, as key: some Hashable) {
        self.sharedUsers[AnyHashable(key)] = user
    }

    /// Forgets a shared user; its key is free for the next one.
    func forget(_ user: any ConnectionUser, sharedAs key: some Hashable) {
        let key = AnyHashable(key)
        if self.sharedUsers[key] === user { self.sharedUsers[key] = nil }
        self.forget(user)
    }
}

// MARK: The end

extension ClientEngine {
    /// Says bye as soon as what is under way is settled, and ends everything; does nothing the second time.
    func close(_ whenClosed: @escaping () -> Void = {}) {
        self.whenClosed.append(whenClosed)
        guard self.end == nil else { return self.handler == nil ? self.closed() : () }
        guard self.closing == nil else { return }
        // A write may wait for the connection that is on its way.
        guard !self.isSettled else { return self.leave() }
        let due = self.eventLoop.now + TimeAmount(self.configuration.closeTimeout)
        self.closing = self.eventLoop.assumeIsolated().scheduleTask(deadline: due) { self.leave() }
    }

    private var isSettled: Bool { self.usersInOrder.allSatisfy(\.isSettled) }

    /// A user may have settled, or has gone: if closing waits for that, it goes on, behind what the caller does.
    func settled() {
        guard self.closing != nil, self.end == nil, self.isSettled else { return }
        self.eventLoop.assumeIsolated().execute { if self.isSettled { self.leave() } }
    }

    private func leave() {
        guard self.end == nil else { return }
        self.closing?.cancel()
        self.pause?.cancel()
        self.asking?.cancel()
        self.machine.close()
        self.state.value = .closed
        self.finish(.closed(self.address))
        guard let handler = self.handler else { return self.closed() }
        self.dispatcher = nil
        handler.leave()
    }

    private func finish(_ error: ClientError) {
        self.end = error
        let users = self.usersInOrder
        self.users = [:]
        for user in users { user.gone(error) }
    }

    private func closed() {
        self.state.complete()
        let whenClosed = self.whenClosed
        self.whenClosed = []
        for tell in whenClosed { tell() }
    }
}
