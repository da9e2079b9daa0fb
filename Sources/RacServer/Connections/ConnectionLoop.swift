import Logging
import NIOCore
import RacHost
import RacProtocol

/// The connections of one event loop: what they say is gathered for the host, and what the host has for them is written.
///
/// A tick begins with the first thing that happens and ends when the loop has done all that was at hand; then the host
/// gets what was gathered. On the host's own loop their ticks are one, and what clients say goes to the host at once.
///
/// Isolation: the event loop that made it.
final class ConnectionLoop {
    let configuration: ServerConfiguration
    let logger: Logger
    let admission: Admission

    /// Keeps the loop awake; nil if it always sleeps when it has nothing to do.
    var polling: BusyPolling?

    /// What was compressed of one tick of the host's.
    var deflated = DeflatedFrames()

    /// When the present tick began, or the last one: milliseconds of the loop's clock.
    private(set) var now: UInt64

    /// Whether clients are listened to no more, because the daemon ends.
    private(set) var isStopping = false

    private let loop: any EventLoop
    private let epoch: String
    private let host: LoopReference<HostShell>
    /// The host's shell, if it is on this loop.
    private let near: HostShell?
    private let numbers: ConnectionNumbers
    private var handlers: [ConnectionID: ConnectionHandler] = [:]
    private var lastConnection: UInt64 = 0
    private var events: ConnectionEvents = []
    private var isInTick = false
    private var inflation = InflationTurns()
    private var isTurnScheduled = false
    /// Whether the host's tick is ending: nothing may happen to it meanwhile.
    private var isObeying = false
    private var sweep: Scheduled<Void>?
    private var allGone: EventLoopPromise<Void>?

    init(
        _ configuration: ServerConfiguration,
        epoch: String,
        host: LoopReference<HostShell>,
        numbers: ConnectionNumbers,
        admission: Admission,
        loop: any EventLoop,
        logger: Logger
    ) {
        self.configuration = configuration
        self.epoch = epoch
        self.host = host
        self.near = host.loop === loop ? host.value : nil
        self.numbers = numbers
        self.admission = admission
        self.loop = loop
        self.logger = logger
        self.now = Self.uptime(of: loop)
        self.scheduleSweep()
    }

    private static func uptime(of loop: any EventLoop) -> UInt64 { loop.now.uptimeNanoseconds / 1_000_000 }

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
        self.lastConnection += 1
        return ConnectionHandler(id: self.numbers.id(self.lastConnection), loop: self)
    }

    /// A connection is open; tells why it must not stay.
    func opened(_ handler: ConnectionHandler) -> WireError? {
        self.loop.assertInEventLoop()
        self.handlers[handler.id] = handler
        return self.isStopping ? Self.shuttingDown : self.admission.enter()
    }

    func closed(_ handler: ConnectionHandler) {
        self.loop.assertInEventLoop()
        self.handlers[handler.id] = nil
        self.inflation.leaves(handler.id)
        guard let allGone = self.allGone, self.handlers.isEmpty else { return }
        // The host's loop may be the first to end.
        self.events = []
        allGone.succeed()
    }

    /// Whether something has happened while the host's tick ended, so that there must be another.
    var wantsTick: Bool { !self.events.isEmpty || self.wantsTurn }

    /// Whether another turn of inflating has to be scheduled; not on a loop that ends.
    private var wantsTurn: Bool { self.inflation.isWaiting && !self.isTurnScheduled && !self.isStopping }

    /// Something happened to a connection that has been welcomed.
    func tell(_ event: ConnectionEvent, of handler: ConnectionHandler) {
        self.enterTick()
        self.events.append((handler.id, event))
    }

    /// A welcomed client said something.
    func pass(_ words: consuming ClientWords, of handler: ConnectionHandler) {
        guard let near = self.near, let peer = handler.peer, !self.isObeying else {
            return self.tell(.said(words), of: handler)
        }
        self.deliver()
        near.pass(words, of: peer)
    }

    /// A welcomed client sent values: a host on this loop that can take them at once does, where they stand.
    func pass(_ sends: inout PlainSends, in bytes: Span<UInt8>, from handler: ConnectionHandler) {
        guard let near = self.near, let peer = handler.peer, !self.isObeying, !peer.mustWait,
            sends.next(in: bytes) != nil
        else { return }
        self.deliver()
        near.pass(&sends, in: bytes, from: peer)
    }

    /// The host's shell on this loop knows a connection.
    func met(_ peer: Peer) {
        if let handler = self.handlers[peer.hosted.id] { peer.meet(handler) }
    }

    /// The host ends a tick, and nothing must reach it until it has.
    func write(_ output: Outgoing, to handler: ConnectionHandler) {
        self.isObeying = true
        handler.write(output)
    }

    /// The host has ended a tick.
    func obey(_ orders: ConnectionOrders) {
        self.loop.assertInEventLoop()
        self.isObeying = true
        for (id, order) in orders { self.handlers[id]?.obey(order) }
        self.deflated.endTick()
        self.isObeying = false
        if self.near != nil { self.isInTick = false }
    }

    private static let shuttingDown = WireError(.shuttingDown, "the daemon is shutting down")
}

// MARK: Ticks

extension ConnectionLoop {
    /// Something is about to happen; the tick ends when everything that is at hand has happened.
    func enterTick() {
        guard !self.isInTick else { return }
        self.isInTick = true
        self.now = Self.uptime(of: self.loop)
        if let near = self.near { return near.enterTick() }
        self.polling?.tickBegan()
        // The loop runs tasks after it has handled all sockets that were ready.
        self.loop.assumeIsolated().execute { self.endTick() }
    }

    func endTick() {
        self.isInTick = false
        self.deliver()
        if self.near == nil { self.polling?.tickEnded() }
        // Behind what the host does with that, if it is on this loop.
        guard self.wantsTurn else { return }
        self.isTurnScheduled = true
        self.loop.assumeIsolated().execute { self.scheduleTurn() }
    }

    private func deliver() {
        guard !self.events.isEmpty else { return }
        let events = self.events
        self.events = []
        self.host.tell(from: self.loop) { $0.receive(events) }
    }

    private func scheduleSweep() {
        self.sweep = self.loop.assumeIsolated().scheduleTask(in: .milliseconds(self.configuration.sweepInterval)) {
            self.enterTick()
            for handler in self.handlers.values { handler.ticked(at: self.now) }
            self.scheduleSweep()
        }
    }
}

// MARK: Inflating

extension ConnectionLoop {
    /// How many bytes may be inflated now for a client that has a compressed frame; if none, its turn comes.
    func roomToInflate(for handler: ConnectionHandler) -> Int {
        let room = self.inflation.asks(handler.id)
        if room == 0 { self.enterTick() }
        return room
    }

    func inflated(_ bytes: Int, for handler: ConnectionHandler, isWhole: Bool) {
        self.inflation.inflated(bytes, for: handler.id, isWhole: isWhole)
        if !isWhole { self.enterTick() }
    }

    func inflatesNoMore(for handler: ConnectionHandler) {
        self.inflation.leaves(handler.id)
    }

    /// A task for now would run before the loop looks at its sockets again, and nobody else would have a turn.
    private func scheduleTurn() {
        self.loop.assumeIsolated().scheduleTask(in: .microseconds(100)) {
            self.isTurnScheduled = false
            self.enterTick()
            self.inflation.beginTurn()
            while let id = self.inflation.next() { self.handlers[id]?.turnCame() }
        }
    }
}

// MARK: The end

extension ConnectionLoop {
    /// Takes no more from anybody; the host gets what was taken.
    func stopListening() {
        self.loop.assertInEventLoop()
        self.isStopping = true
        self.deliver()
    }

    /// Tells all clients that the daemon ends, behind their last answers, and waits for them to go, but not for long.
    func sayGoodbye() -> EventLoopFuture<Void> {
        self.loop.assertInEventLoop()
        let allGone = self.loop.makePromise(of: Void.self)
        self.sweep?.cancel()
        guard !self.handlers.isEmpty else {
            allGone.succeed()
            return allGone.futureResult
        }
        self.allGone = allGone
        for handler in self.handlers.values { handler.end(because: Self.shuttingDown) }
        self.loop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            for handler in self.handlers.values { handler.close() }
        }
        return allGone.futureResult
    }
}
