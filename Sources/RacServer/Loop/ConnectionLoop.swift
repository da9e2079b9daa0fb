import Logging
import NIOCore
import RacHost
import RacProtocol

/// The connections of one event loop: what they say is gathered for the host, and what the host has for them is written.
///
/// A tick begins with the first thing that happens and ends when the loop has done all that was at hand; then the host
/// gets what was gathered. With one loop the host is on it and called directly.
///
/// Isolation: the event loop that made it.
final class ConnectionLoop {
    let configuration: ServerConfiguration
    let logger: Logger
    let admission: Admission

    /// What was compressed of one tick of the host's.
    var deflated = DeflatedFrames()

    /// When the present tick began, or the last one: milliseconds of the loop's clock.
    private(set) var now: UInt64

    /// Whether clients are listened to no more, because the daemon ends.
    private(set) var isStopping = false

    private let loop: any EventLoop
    private let epoch: String
    private let host: Link<HostShell>
    private let numbers: ConnectionNumbers
    private var handlers: [ConnectionID: ConnectionHandler] = [:]
    private var lastConnection: UInt64 = 0
    private var events: ConnectionEvents = []
    private var isInTick = false
    private var sweep: Scheduled<Void>?
    private var allGone: EventLoopPromise<Void>?

    init(
        _ configuration: ServerConfiguration,
        epoch: String,
        host: Link<HostShell>,
        numbers: ConnectionNumbers,
        admission: Admission,
        loop: any EventLoop,
        logger: Logger
    ) {
        self.configuration = configuration
        self.epoch = epoch
        self.host = host
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
        guard let allGone = self.allGone, self.handlers.isEmpty else { return }
        // The host's loop may be the first to end.
        self.events = []
        allGone.succeed()
    }

    /// Something happened to a connection that has been welcomed.
    func tell(_ event: ConnectionEvent, of handler: ConnectionHandler) {
        self.enterTick()
        self.events.append((handler.id, event))
    }

    /// The host has ended a tick.
    func obey(_ orders: ConnectionOrders) {
        self.loop.assertInEventLoop()
        for (id, order) in orders { self.handlers[id]?.obey(order) }
        self.deflated.endTick()
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
        // The loop runs tasks after it has handled all sockets that were ready.
        self.loop.assumeIsolated().execute { self.endTick() }
    }

    private func endTick() {
        self.isInTick = false
        self.deliver()
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
