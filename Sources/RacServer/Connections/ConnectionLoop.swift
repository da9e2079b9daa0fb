import Logging
import NIOCore
import NIOPosix
import RacAccess
import RacHost
import RacProtocol

/// The connections of one event loop.
///
/// A tick begins with the first event and ends when the loop has handled everything that was at hand. On the host's own
/// loop the tick is the host's, too. ``HostDoor`` lets the events of the connections in.
///
/// Isolation: the event loop that made it.
final class ConnectionLoop {
    let configuration: ServerConfiguration
    let logger: Logger
    let admission: Admission

    /// The accounts of clients with bounded rates that have left.
    let accounts: LeftAccounts

    /// The door to the host.
    let door: HostDoor

    /// The rules of a closed daemon; nil while the daemon is open.
    var access: AccessPolicy?

    /// Finds the dialects of clients.
    let dialects: any ConversationFactory

    /// Keeps the loop awake; nil if the loop always sleeps when it is idle.
    var polling: BusyPolling?

    /// The thread that reads long frames; nil on a loop without sockets of the system, which reads them itself.
    var readers: NIOThreadPool?

    /// Reports when the loop has polled its sockets; nil on a loop without sockets of the system.
    var poll: SocketPoll?

    /// The frames that were compressed for one tick of the host.
    var deflated = DeflatedFrames()
    /// The newest frames of one tick of the host as messages of WebSockets, and its newest messages as events of streams.
    var sharedMessages = SharedMessages()
    var sharedEvents = SharedEvents()

    /// When the present tick began, or the last one: milliseconds of the loop's clock.
    private(set) var now: UInt64

    /// Whether nothing more is taken from clients, because the daemon ends.
    private(set) var isStopping = false

    let loop: any EventLoop
    private let epoch: String
    private let numbers: ConnectionNumbers
    var handlers = HandlerTable()
    private var strangers = Strangers()
    private var lastConnection: UInt64 = 0
    var reading = ReadTurns()
    var output = OutputTurns()
    var handshakes = HandshakeTurns()
    /// The connections whose output waits for the end of the tick.
    var gathering: [ConnectionHandler] = []
    /// The memory in which such output is put together.
    private var gathered = ByteBuffer()
    var isTurnAwaited = false
    /// Whether the loop has polled its sockets since the last turn began: then the next tick begins a turn.
    private var hasPolled = true
    /// Whether the tick under way has begun a turn.
    private(set) var isInTurn = false
    /// Whether a welcomed client took part in this tick.
    var hasTraffic = false
    /// Whether the clients that wait in line get this turn.
    var areLinesDue = false
    var deadline: (at: UInt64, task: Scheduled<Void>)?
    var sweep = Sweep.none
    var sweepTask: Scheduled<Void>?
    private var allGone: EventLoopPromise<Void>?
    private var warnings = WarningLimiter()
    var trail = AuditTrail()

    init(
        _ configuration: ServerConfiguration,
        epoch: String,
        host: LoopReference<HostShell>,
        numbers: ConnectionNumbers,
        admission: Admission,
        accounts: LeftAccounts,
        dialects: any ConversationFactory,
        loop: any EventLoop,
        logger: Logger
    ) {
        self.configuration = configuration
        self.access = configuration.access
        self.dialects = dialects
        self.epoch = epoch
        self.door = HostDoor(host, on: loop)
        self.numbers = numbers
        self.admission = admission
        self.accounts = accounts
        self.loop = loop
        self.logger = logger
        self.now = Self.uptime(of: loop)
        self.scheduleSweep()
    }

    static func uptime(of loop: any EventLoop) -> UInt64 { loop.now.uptimeNanoseconds / 1_000_000 }

    func welcome(deflate: Bool) -> Welcome {
        Welcome(
            server: self.configuration.name,
            epoch: self.epoch,
            heartbeat: self.configuration.heartbeat,
            maximumFrameBytes: UInt64(self.configuration.maximumFrameBytes),
            deflate: deflate
        )
    }
}

@available(*, unavailable)
extension ConnectionLoop: Sendable {}

// MARK: Connections

extension ConnectionLoop {
    func makeHandler() -> ConnectionHandler {
        self.enterTick()
        return ConnectionHandler(loop: self)
    }

    /// Judges a client by the rules, and adds the claims of its JWT to its proofs.
    ///
    /// The check of a signature counts as reading the client, so that others wait for the rest of a turn at most.
    ///
    /// - Parameters:
    ///   - credentials: The client's proofs.
    ///   - token: The token in its hello.
    ///   - handler: The client's connection.
    /// - Returns: The reason for the log if the client is refused.
    func refusal(
        of credentials: inout Credentials,
        _ token: String?,
        _ handler: ConnectionHandler
    ) -> LoggedReason? {
        let time = HostShell.time(on: self.loop).wall
        guard let access, access.admits(credentials, at: time) == nil else { return nil }
        guard let token, access.mayBeIssued(token) else { return LoggedReason(unknown: credentials) }
        let start = NIODeadline.now()
        defer { handler.conversation?.spent(Work.computing(nanoseconds: (NIODeadline.now() - start).nanoseconds)) }
        do throws(TokenFault) {
            credentials.claims = try access.claims(of: token, at: time)
            return nil
        } catch {
            return LoggedReason(error)
        }
    }

    /// The principal that a client has, by its proofs; nil while the daemon is open.
    func principal(of credentials: Credentials) -> String? { self.rights(of: credentials)?.principal.text }

    /// The rights that a client has, by its proofs; nil while the daemon is open.
    func rights(of credentials: Credentials) -> Rights? {
        self.access?.admits(credentials, at: HostShell.time(on: self.loop).wall)?.rights
    }

    /// Gives an open connection its ID; returns why the connection must not stay, if so.
    ///
    /// If there is no place, the oldest connection whose client has not shown who it is gives way.
    func opened(_ handler: ConnectionHandler) -> WireError? {
        self.loop.assertInEventLoop()
        self.number(handler)
        guard !self.isStopping else { return Self.shuttingDown }
        if let refusal = self.admission.enter(isLocal: handler.isLocal) {
            guard self.endOldestStranger() else { return refusal }
            if let refusal = self.admission.enter(isLocal: handler.isLocal) { return refusal }
        }
        self.isStrange(handler)
        return nil
    }

    private func isStrange(_ handler: ConnectionHandler) {
        self.strangers.add(handler.id, of: self.handlers.count) { self.isStranger($0) }
    }

    private func isStranger(_ id: ConnectionID) -> Bool {
        self.handlers[id].map { !$0.isWelcomed } ?? false
    }

    private func endOldestStranger() -> Bool {
        guard let id = self.strangers.takeOldest(where: { self.isStranger($0) }), let handler = self.handlers[id] else {
            return false
        }
        let reason = "another client needs the place of this one, which has not shown who it is"
        self.report("a connection was ended", WireError(.limit, reason), of: handler)
        handler.close()
        return true
    }

    private func number(_ handler: ConnectionHandler) {
        self.lastConnection += 1
        self.handlers.add(handler) { self.numbers.id(self.lastConnection, place: $0) }
    }

    /// Gives a connection another ID: the host gets to know it as another client.
    func renumber(_ handler: ConnectionHandler) {
        self.handlers.remove(handler)
        self.number(handler)
        self.isStrange(handler)
    }

    /// Logs what the daemon did to a client and why; not each time of many in a row.
    func report(_ text: String, _ error: WireError, of handler: ConnectionHandler) {
        guard error != Self.shuttingDown else { return }
        guard error.code != ErrorCode.unauthenticated.rawValue else {
            return self.audit(RefusedAct(.unauthenticated, nil, .hello), of: handler)
        }
        self.report(text, "\(error.code)", error.message, of: handler)
    }

    /// Logs that wills of a lost client were applied.
    private func report(_ wills: AppliedWills) {
        let text = "wills were applied"
        let client = wills.client
        let metadata: Logger.Metadata = [
            "connection": .stringConvertible(client.connection), "peer": "\(client.peer?.description ?? "-")",
            "name": "\(client.name ?? "-")", "principal": "\(client.principal ?? "-")",
            "wills": .stringConvertible(wills.count),
        ]
        self.write(text, at: .info, self.warnings.admit(text, at: self.now), metadata)
    }

    /// Logs why a client was refused that racd does not know.
    func report(_ text: String, _ reason: LoggedReason, of handler: ConnectionHandler) {
        let suppressed = self.warnings.admit("\(text): \(reason.kind)", because: reason.text, at: self.now)
        self.write(text, "\(ErrorCode.unauthenticated)", reason.text, suppressed, handler.loggedWithCertificate)
    }

    /// Logs what happened to a client; codes do not suppress each other.
    func report(_ text: String, _ code: String, _ reason: String, of handler: ConnectionHandler) {
        self.write(text, code, reason, self.warnings.admit("\(text): \(code)", at: self.now), handler.logged)
    }

    /// Writes a warning.
    private func write(
        _ text: String,
        _ code: String,
        _ reason: String,
        _ suppressed: Int?,
        _ metadata: Logger.Metadata
    ) {
        let facts: Logger.Metadata = ["code": "\(code)", "reason": "\(reason)"]
        self.write(text, at: .warning, suppressed, metadata.merging(facts) { $1 })
    }

    /// Writes a line; one that was not admitted is for debugging only.
    private func write(_ text: String, at level: Logger.Level, _ suppressed: Int?, _ metadata: Logger.Metadata) {
        var metadata = metadata
        if let suppressed, suppressed > 0 { metadata["others"] = .stringConvertible(suppressed) }
        self.logger.log(level: suppressed == nil ? .debug : level, "\(text)", metadata: metadata)
    }

    func closed(_ handler: ConnectionHandler) {
        self.loop.assertInEventLoop()
        self.handlers.remove(handler)
        guard let allGone = self.allGone, self.handlers.isEmpty else { return }
        // The host's loop may be the first to end.
        self.door.close()
        allGone.succeed()
    }

    private static let shuttingDown = WireError(.shuttingDown, "the daemon is shutting down")
}

// MARK: To the host

extension ConnectionLoop {
    /// Submits to the host what happened to a connection that has been welcomed.
    func submit(_ event: ConnectionEvent, of handler: ConnectionHandler) {
        self.enterTick()
        self.door.enter(event, of: handler.id)
    }

    /// Submits a message of a welcomed client to the host.
    func submit(_ words: consuming ClientWords, of handler: ConnectionHandler) {
        self.enterTick()
        self.door.enter(words, of: handler.id)
    }

    /// Submits values of a welcomed client to the host where they stand, if the host can take them at once.
    func submit(_ sends: inout PlainSends, in bytes: Span<UInt8>, from handler: ConnectionHandler) {
        self.door.enter(&sends, in: bytes, of: handler.id)
    }
}

// MARK: From the host

extension ConnectionLoop: ConnectionsHere {
    func write(_ output: Outgoing, to id: ConnectionID) {
        self.handlers[id]?.write(output)
    }

    func obey(_ order: ConnectionOrder, of id: ConnectionID) {
        if case .appliedWills(let wills) = order { return self.report(wills) }
        self.handlers[id]?.obey(order)
    }

    func finishOrders() {
        self.deflated.endTick()
        self.sharedMessages.endTick()
        self.sharedEvents.endTick()
        self.passOutput()
    }

    /// Passes on what connections have gathered in this tick, and what that leads to, as the next answer of HTTP.
    private func passOutput() {
        while !self.gathering.isEmpty {
            // The list is put back, since passing on may call this loop.
            var handlers = self.gathering
            self.gathering = []
            self.withGathered { buffer in
                for handler in handlers { handler.passOutput(&buffer) }
            }
            handlers.removeAll(keepingCapacity: true)
            if self.gathering.isEmpty { self.gathering = handlers }
        }
    }

    /// Lends the memory in which output is put together; what is lent meanwhile is fresh.
    func withGathered(_ body: (inout ByteBuffer) -> Void) {
        var buffer = self.gathered
        self.gathered = ByteBuffer()
        body(&buffer)
        buffer.clear()
        self.gathered = buffer
    }

    /// Takes the orders of a host on another loop.
    func obey(_ orders: ConnectionOrders) {
        self.loop.assertInEventLoop()
        self.hasTraffic = true
        for (id, order) in orders { self.obey(order, of: id) }
        self.finishOrders()
    }
}

// MARK: Ticks

extension ConnectionLoop {
    /// Something is about to happen to a connection; begins a tick unless one is under way.
    func enterTick() {
        if self.door.enter() { self.tickBegan() }
    }

    /// A tick has begun: of this loop, or of the host that is on this loop.
    ///
    /// A loop runs tasks that other threads give it, and those that they lead to, before it polls. So a tick that such a task
    /// begins goes on with the units that the last one has left.
    ///
    /// - Returns: Whether the tick begins a turn.
    @discardableResult
    func tickBegan() -> Bool {
        self.door.tickBegan()
        (self.isInTurn, self.hasPolled) = (self.hasPolled, false)
        if self.isInTurn {
            self.reading.begin()
            self.handshakes.begin()
        }
        self.now = Self.uptime(of: self.loop)
        self.polling?.tickBegan()
        // The loop runs tasks after it has handled all sockets that were ready.
        self.loop.assumeIsolated().execute { self.endTick() }
        return self.isInTurn
    }

    /// The loop has polled its sockets.
    ///
    /// Without a turn a tick may have begun by another socket of the same poll: then the next tick has the turn.
    func polled() {
        if !self.isInTurn { self.hasPolled = true }
    }

    private func endTick() {
        self.serveLines()
        self.isInTurn = false
        self.sweepIfDue()
        let ended = self.door.endTick(into: self)
        self.passOutput()
        self.polling?.tickEnded(commit: ended.awaitedCommit, hasTraffic: self.hasTraffic)
        self.hasTraffic = false
        let isWaiting = self.reading.isWaiting || self.output.isWaiting || self.handshakes.isWaiting
        if ended.wantsTurn || isWaiting { self.awaitTurn() }
        self.awaitDeadline(ended.deadline)
    }
}

// MARK: The end

extension ConnectionLoop {
    /// Takes no more from clients; the host gets the messages that were taken.
    func stopListening() {
        self.loop.assertInEventLoop()
        self.isStopping = true
        self.door.deliver()
    }

    /// Notifies all clients of the end, behind their last answers, and waits for them to go, but not for long.
    func sayGoodbye() -> EventLoopFuture<Void> {
        self.loop.assertInEventLoop()
        let allGone = self.loop.makePromise(of: Void.self)
        self.cancelTurns()
        guard !self.handlers.isEmpty else {
            allGone.succeed()
            return allGone.futureResult
        }
        self.allGone = allGone
        for handler in self.handlers.all { handler.end(because: Self.shuttingDown) }
        self.loop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            for handler in self.handlers.all { handler.close() }
        }
        return allGone.futureResult
    }
}
