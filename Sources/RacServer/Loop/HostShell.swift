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
    private var admittedCount = 0
    private var isInTick = false
    private var deadlineTask: Scheduled<Void>?
    private var sweep: Scheduled<Void>?
    /// Connections that end when their clients have what is due.
    private var draining: [ConnectionHandler] = []
    /// Connections whose requests waited until their answers left.
    private var resuming: [ConnectionHandler] = []
    /// What all connections hold.
    private var heldBytes: HeldBytes
    /// What this tick has compressed.
    var deflated = DeflatedFrames()
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
        self.now = Self.time(on: loop)
        self.epoch = Self.newEpoch()
        self.heldBytes = HeldBytes(
            limit: max(configuration.maximumHeldBytes, 2 * configuration.maximumFrameBytes)
        )
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

    private static func time(on loop: any EventLoop) -> Time {
        var wall = timespec()
        clock_gettime(CLOCK_REALTIME, &wall)
        return Time(
            uptime: loop.now.uptimeNanoseconds / 1_000_000,
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
        self.enterTick()
        self.lastConnection += 1
        return ConnectionHandler(id: ConnectionID(self.lastConnection), shell: self)
    }

    /// A connection is open; tells why it must not stay.
    func opened(_ handler: ConnectionHandler) -> WireError? {
        self.loop.assertInEventLoop()
        self.handlers[handler.id] = handler
        if self.isStopping { return Self.shuttingDown }
        guard self.admittedCount < self.configuration.maximumConnections else {
            return WireError(.limit, "the daemon has \(self.configuration.maximumConnections) connections already")
        }
        self.admittedCount += 1
        handler.isAdmitted = true
        return nil
    }

    func closed(_ handler: ConnectionHandler, _ hosted: HostedConnection?) {
        self.loop.assertInEventLoop()
        self.handlers[handler.id] = nil
        self.heldBytes.letsGo(handler.id)
        if handler.isAdmitted { self.admittedCount -= 1 }
        if self.handlers.isEmpty { self.allGone?.succeed() }
        // Whom the daemon leaves is not lost: wills are for clients that leave.
        guard let hosted, !self.isStopping else { return }
        self.enterTick()
        self.host.disconnected(hosted)
    }

    /// The daemon keeps so many bytes for a connection now.
    func holds(_ handler: ConnectionHandler, bytes: Int) {
        for id in self.heldBytes.holds(handler.id, bytes: bytes) { self.handlers[id]?.letGo() }
    }

    /// A connection ends at the end of a tick in which nothing is due to its client any more.
    func drains(_ handler: ConnectionHandler) {
        self.enterTick()
        self.draining.append(handler)
    }

    /// A held connection's answers have been written; it goes on behind this tick.
    func resumes(_ handler: ConnectionHandler) {
        self.resuming.append(handler)
    }

    private static let shuttingDown = WireError(.shuttingDown, "the daemon is shutting down")
}

// MARK: Ticks

extension HostShell {
    /// Something is about to happen; the tick ends when everything that is at hand has happened.
    func enterTick() {
        guard !self.isInTick else { return }
        self.isInTick = true
        self.now = Self.time(on: self.loop)
        self.host.beginTick(at: self.now)
        // The loop runs tasks after it has handled all sockets that were ready.
        self.loop.assumeIsolated().execute { self.endTick() }
    }

    private func endTick() {
        self.host.endTick()
        for hosted in self.host.takeListed() {
            self.handlers[hosted.id]?.writeOutput(of: hosted)
        }
        // After the writes: clients need not wait while the store is told.
        self.submitChanges()
        for connection in self.host.takeEvicted() { self.handlers[connection]?.end() }
        for handler in Self.take(&self.draining) { handler.endIfDrained() }
        self.deflated.endTick()
        self.isInTick = false
        // These begin the next tick, so that their answers are put in order before anything is written.
        for handler in Self.take(&self.resuming) { handler.resume() }
        if self.host.wantsTick { self.enterTick() }
        self.scheduleDeadline()
    }

    private static func take(_ handlers: inout [ConnectionHandler]) -> [ConnectionHandler] {
        guard !handlers.isEmpty else { return [] }
        defer { handlers = [] }
        return handlers
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
        self.sweep = self.loop.assumeIsolated().scheduleTask(in: .milliseconds(self.sweepInterval)) {
            self.enterTick()
            for handler in self.handlers.values { handler.ticked(at: self.now.uptime) }
            self.refreshFigures()
            self.scheduleSweep()
        }
    }

    /// In milliseconds: how often silent connections are looked for.
    private var sweepInterval: Int64 {
        let shortest = min(self.configuration.heartbeat, self.configuration.helloTimeout)
        return Int64(clamping: max(1, min(1_000, shortest / 4)))
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
            self.host.failing(why, through: ticket)
        case .recovered:
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

    /// Tells all clients that the daemon ends, behind their last answers, and waits for them to go, but not for long.
    func sayGoodbye() -> EventLoopFuture<Void> {
        self.loop.assertInEventLoop()
        let allGone = self.loop.makePromise(of: Void.self)
        self.sweep?.cancel()
        self.deadlineTask?.cancel()
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
