import Glibc
import Logging
import NIOCore
import RacHost
import RacProtocol
import RacStore

/// The host on its event loop: ticks begin with the first thing that happens and end when the loop has done all that
/// was at hand, so that a burst is written once per connection and stored as one batch.
///
/// Isolation: the event loop that made it.
final class HostShell {
    let configuration: ServerConfiguration
    let logger: Logger
    let host: Host

    /// When the present tick began, or the last one.
    private(set) var now: Time

    private let loop: any EventLoop
    private let store: Store?
    private let epoch: String
    private var handlers: [ConnectionID: ConnectionHandler] = [:]
    private var lastConnection: UInt64 = 0
    private var isInTick = false
    private var deadlineTask: Scheduled<Void>?
    private var sweep: Scheduled<Void>?
    /// Connections whose clients have said all they will.
    private var ending: [ConnectionID] = []
    /// Whether clients are listened to no more, because the daemon ends.
    private(set) var isStopping = false
    private var allGone: EventLoopPromise<Void>?

    init(
        _ configuration: ServerConfiguration,
        records: [ChannelRecord],
        revisions: RevisionSource,
        store: Store?,
        loop: any EventLoop,
        logger: Logger
    ) {
        self.configuration = configuration
        self.logger = logger
        self.loop = loop
        self.store = store
        self.now = Self.time()
        self.epoch = Self.newEpoch()
        self.host = Host(
            records: records,
            revisions: revisions,
            isStored: store != nil,
            limits: configuration.limits,
            at: self.now
        )
        self.refreshFigures()
        self.scheduleSweep()
    }

    private static func time() -> Time {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Time(
            uptime: NIODeadline.now().uptimeNanoseconds / 1_000_000,
            wall: Int64(wall.tv_sec) * 1000 + Int64(wall.tv_nsec) / 1_000_000
        )
    }

    private static func newEpoch() -> String {
        let number = UInt64.random(in: .min ... .max)
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

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
extension HostShell: Sendable {}

// MARK: Connections

extension HostShell {
    func makeHandler() -> ConnectionHandler {
        self.lastConnection += 1
        return ConnectionHandler(id: ConnectionID(self.lastConnection), shell: self)
    }

    /// A connection is open; tells why it must not stay.
    func opened(_ handler: ConnectionHandler) -> WireError? {
        self.loop.assertInEventLoop()
        self.handlers[handler.id] = handler
        if self.isStopping { return Self.shuttingDown }
        guard self.handlers.count <= self.configuration.maximumConnections else {
            return WireError(.limit, "the daemon has \(self.configuration.maximumConnections) connections already")
        }
        return nil
    }

    func closed(_ handler: ConnectionHandler, _ hosted: HostedConnection?) {
        self.loop.assertInEventLoop()
        self.handlers[handler.id] = nil
        if self.handlers.isEmpty { self.allGone?.succeed() }
        guard let hosted else { return }
        self.enterTick()
        self.host.disconnected(hosted)
    }

    /// A connection's client has closed its side: the connection ends when this tick's output is written.
    func ends(_ connection: ConnectionID) {
        self.enterTick()
        self.ending.append(connection)
    }

    private static let shuttingDown = WireError(.shuttingDown, "the daemon is shutting down")
}

// MARK: Ticks

extension HostShell {
    /// Something is about to happen; the tick ends when everything that is at hand has happened.
    func enterTick() {
        guard !self.isInTick else { return }
        self.isInTick = true
        self.now = Self.time()
        self.host.beginTick(at: self.now)
        // The loop runs tasks after it has handled all sockets that were ready.
        self.loop.assumeIsolated().execute { self.endTick() }
    }

    private func endTick() {
        self.host.endTick()
        self.submitChanges()
        for hosted in self.host.takeListed() {
            self.handlers[hosted.id]?.writeOutput(of: hosted)
        }
        for connection in self.host.takeEvicted() + self.ending { self.handlers[connection]?.end() }
        self.ending = []
        self.isInTick = false
        if self.host.wantsTick { self.enterTick() }
        self.scheduleDeadline()
    }

    private func submitChanges() {
        guard let store = self.store else { return _ = self.host.takeChanges() }
        if let reservation = self.host.takeReservation() { store.reserveRevisions(through: reservation) }
        guard let changes = self.host.takeChanges() else { return }
        let batch = changes.records.map(StoreChange.put) + changes.removed.map(StoreChange.remove)
        store.submit(StoreBatch(ticket: changes.ticket, changes: batch, isAwaited: changes.isAwaited))
    }

    private func scheduleDeadline() {
        self.deadlineTask?.cancel()
        self.deadlineTask = nil
        guard let deadline = self.host.nextDeadline else { return }
        let at = NIODeadline.uptimeNanoseconds(deadline * 1_000_000)
        self.deadlineTask = self.loop.assumeIsolated().scheduleTask(deadline: at) { self.enterTick() }
    }

    private func scheduleSweep() {
        self.sweep = self.loop.assumeIsolated().scheduleTask(in: .seconds(1)) {
            self.enterTick()
            for handler in self.handlers.values { handler.ticked(at: self.now.uptime) }
            self.refreshFigures()
            self.scheduleSweep()
        }
    }

    private func refreshFigures() {
        self.host.refreshFigures([
            (name: "version", value: .string(self.configuration.name)),
            (name: "epoch", value: .string(self.epoch)),
        ])
    }
}

// MARK: Storage

extension HostShell {
    func stored(_ event: StoreEvent) {
        self.loop.assertInEventLoop()
        self.enterTick()
        switch event {
        case .committed(let ticket):
            self.host.committed(through: ticket)
        case .failing(let why, let ticket):
            self.logger.error("the store cannot write", metadata: ["reason": "\(why)"])
            self.host.failing(why, through: ticket)
        case .recovered:
            self.logger.notice("the store writes again")
            self.host.storageRecovered()
        case .reserved(let revision):
            self.host.reserved(through: revision)
        }
    }
}

// MARK: The end

extension HostShell {
    /// Takes no more from anybody.
    ///
    /// What was taken is told and handed to the store with this tick.
    func stopListening() {
        self.loop.assertInEventLoop()
        self.enterTick()
        self.isStopping = true
    }

    /// Tells all clients that the daemon ends, and waits for them to go, but not for long.
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
