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
    let epoch: String

    private let configuration: ServerConfiguration
    private let host: Host
    private let loop: any EventLoop
    private let store: Store?
    private var connectionLoops: [LoopReference<ConnectionLoop>] = []
    /// The connections on the same loop.
    private var near: ConnectionLoop?
    private var peers: [ConnectionID: Peer] = [:]
    private var isInTick = false
    private var deadline: (at: UInt64, task: Scheduled<Void>)?
    private var refresh: Scheduled<Void>?
    /// The newest batch that is on its way to the disk and that clients wait for.
    private var awaited: UInt64?
    /// What this tick has for the connections of each loop.
    private var orders: [ConnectionOrders] = []
    /// Connections that end when their clients have what is due.
    private var finishing: Set<ConnectionID> = []
    /// Those of them that may have it with this tick.
    private var mayBeDrained: [Peer] = []
    /// What all connections hold.
    private var heldBytes: HeldBytes
    /// Whether clients are listened to no more, because the daemon ends.
    private var isStopping = false

    init(
        _ configuration: ServerConfiguration,
        channels: [StoredChannel],
        revisions: RevisionSource,
        store: Store?,
        loop: any EventLoop
    ) {
        self.configuration = configuration
        self.loop = loop
        self.store = store
        self.epoch = Self.newEpoch()
        self.heldBytes = HeldBytes(
            limit: max(configuration.maximumHeldBytes, 2 * configuration.maximumFrameBytes)
        )
        self.host = Host(
            channels: channels,
            revisions: revisions,
            isStored: store != nil,
            batches: configuration.batches,
            limits: configuration.limits,
            at: Self.time(on: loop)
        )
        self.refreshFigures()
        self.scheduleRefresh()
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

    /// The loops that have connections, before any of them has one.
    func connect(_ loops: [LoopReference<ConnectionLoop>]) {
        self.connectionLoops = loops
        self.near = loops.first { $0.loop === self.loop }?.value
        self.orders = loops.map { _ in [] }
    }

    func peer(_ id: ConnectionID) -> Peer? { self.peers[id] }
}

@available(*, unavailable)
extension HostShell: Sendable {}

// MARK: Connections

extension HostShell {
    /// What happened to the connections of one loop.
    func receive(_ events: ConnectionEvents) {
        self.loop.assertInEventLoop()
        self.enterTick()
        for (id, event) in events {
            if case .welcomed(let session, let agent) = event {
                let hosted = self.host.connected(id, session: session, agent: agent)
                let peer = Peer(hosted, aheadBytes: ConnectionHandler.aheadBytes)
                self.peers[id] = peer
                self.near?.met(peer)
            } else if let peer = self.peers[id] {
                self.take(event, of: peer)
            }
        }
    }

    private func take(_ event: ConnectionEvent, of peer: Peer) {
        switch event {
        case .welcomed: break
        case .said(let words): self.pass(words, of: peer)
        case .wrote(let bytes):
            self.host.wrote(bytes, to: peer.hosted)
            self.order(peer.resume(to: self.host).map { .took($0) }, of: peer.hosted.id)
            self.count(peer)
        case .isWritable(let isWritable):
            self.host.setWritable(peer.hosted, isWritable)
        case .holds(let bytes):
            peer.heldByLoop = bytes
            self.count(peer)
        case .saidAll:
            peer.saidAll()
            self.finishing.insert(peer.hosted.id)
            self.mayBeDrained.append(peer)
        case .closed: self.closed(peer)
        }
    }

    /// A client said something.
    func pass(_ words: consuming ClientWords, of peer: Peer) {
        guard !self.isStopping else { return }
        self.enterTick()
        self.submitPart()
        if let bytes = peer.said(words, to: self.host) { self.order(.took(bytes), of: peer.hosted.id) }
        self.count(peer)
    }

    /// A client that need not wait sent values; what else it sent is left.
    func pass(_ sends: inout PlainSends, in bytes: Span<UInt8>, from peer: Peer) {
        guard !self.isStopping else { return }
        self.enterTick()
        repeat {
            self.submitPart()
            self.host.received(&sends, in: bytes, from: peer.hosted)
        } while self.host.hasPart && sends.next(in: bytes) != nil
        if let bytes = peer.sent(sends.payloadBytes) { self.order(.took(bytes), of: peer.hosted.id) }
        self.count(peer)
    }

    private func closed(_ peer: Peer) {
        peer.part()
        self.peers[peer.hosted.id] = nil
        self.finishing.remove(peer.hosted.id)
        self.heldBytes.letsGo(peer.hosted.id)
        // Whom the daemon leaves is not lost: wills are for clients that leave.
        if !self.isStopping { self.host.disconnected(peer.hosted) }
    }

    /// What the daemon keeps for a connection may have changed.
    private func count(_ peer: Peer) {
        let bytes = peer.heldBytes
        // Of one that must go already nothing more can be had.
        guard bytes > HeldBytes.freeBytes || peer.isCounted, !peer.isLetGo else { return }
        peer.isCounted = bytes > HeldBytes.freeBytes
        for id in self.heldBytes.holds(peer.hosted.id, bytes: bytes) {
            guard let evicted = self.peers[id] else { continue }
            evicted.isLetGo = true
            self.order(.letGo(isUnread: evicted.isUnread), of: id)
        }
    }

    private func order(_ order: ConnectionOrder?, of id: ConnectionID) {
        guard let order, !self.orders.isEmpty else { return }
        self.orders[ConnectionNumbers.loop(of: id, among: self.orders.count)].append((id, order))
    }
}

// MARK: Ticks

extension HostShell {
    /// Something is about to happen; the tick ends when everything that is at hand has happened.
    func enterTick() {
        guard !self.isInTick else { return }
        self.isInTick = true
        self.near?.polling?.tickBegan()
        self.host.beginTick(at: Self.time(on: self.loop))
        // The loop runs tasks after it has handled all sockets that were ready.
        self.loop.assumeIsolated().execute { self.endTick() }
    }

    private func endTick() {
        self.near?.endTick()
        self.host.endTick()
        // Once for all connections: each look at a stored reference counts it.
        let (near, finishing) = (self.near, self.finishing)
        self.host.takeListed().forEachUncounted { hosted in
            let output = self.host.takeOutput(of: hosted)
            if !output.isEmpty { self.write(output, to: hosted, near) }
            if hosted.outgoingBytes > HeldBytes.freeBytes, let peer = self.peers[hosted.id] { self.count(peer) }
            if finishing.contains(hosted.id), let peer = self.peers[hosted.id] { self.mayBeDrained.append(peer) }
        }
        for id in self.host.takeEvicted() { self.order(.end, of: id) }
        self.endDrained()
        self.sendOrders()
        // After the writes: clients need not wait while the store is told.
        self.submit(self.host.takeBatch())
        self.isInTick = false
        self.near?.polling?.tickEnded(commit: self.awaited)
        if self.near?.wantsTick == true { self.enterTick() }
        if self.host.wantsTick { self.goOn() }
        self.scheduleDeadline()
    }

    /// There is more to do than fits a tick.
    ///
    /// A task for now would run before the loop looks at its sockets again, and nobody else would have a turn.
    private func goOn() {
        self.loop.assumeIsolated().scheduleTask(in: .microseconds(100)) { self.enterTick() }
    }

    private func endDrained() {
        for peer in self.mayBeDrained where peer.isDrained && self.finishing.remove(peer.hosted.id) != nil {
            self.order(.drained, of: peer.hosted.id)
        }
        if !self.mayBeDrained.isEmpty { self.mayBeDrained = [] }
    }

    private func write(_ output: Outgoing, to hosted: HostedConnection, _ near: ConnectionLoop?) {
        if let near, let handler = hosted.holder as? ConnectionHandler {
            near.write(output, to: handler)
        } else {
            self.order(.write(output), of: hosted.id)
        }
    }

    /// The connections of the same loop hear that the tick has ended even if there is nothing to do.
    private func sendOrders() {
        for loop in self.orders.indices {
            let link = self.connectionLoops[loop]
            guard !self.orders[loop].isEmpty || link.loop === self.loop else { continue }
            let orders = self.orders[loop]
            self.orders[loop] = []
            link.tell(from: self.loop) { $0.obey(orders) }
        }
    }

    private func scheduleDeadline() {
        let next = self.host.nextDeadline
        guard next != self.deadline?.at else { return }
        self.deadline?.task.cancel()
        self.deadline = next.map { next in
            let at = NIODeadline.uptimeNanoseconds(next * 1_000_000)
            let task = self.loop.assumeIsolated().scheduleTask(deadline: at) {
                self.deadline = nil
                self.enterTick()
            }
            return (next, task)
        }
    }

    private func scheduleRefresh() {
        let interval = TimeAmount.milliseconds(self.configuration.sweepInterval)
        self.refresh = self.loop.assumeIsolated().scheduleTask(in: interval) {
            self.enterTick()
            self.refreshFigures()
            self.scheduleRefresh()
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
            self.noLongerAwaits(through: ticket)
        case .failing(let why, let ticket):
            self.host.failing(why, through: ticket)
            self.noLongerAwaits(through: ticket)
        case .recovered:
            self.host.storageRecovered()
        case .reserved(let revision):
            self.host.reserved(through: revision)
        }
    }

    private func noLongerAwaits(through ticket: UInt64) {
        if let awaited = self.awaited, awaited <= ticket { self.awaited = nil }
    }

    /// Gives the store a part of the tick's changes, if there are enough, so that it writes rows while the tick goes on.
    private func submitPart() {
        if let part = self.host.takePart() { self.submit(part) }
    }

    private func submit(_ batch: StoreBatch?) {
        guard let store = self.store else { return }
        if let reservation = self.host.takeReservation() { store.reserveRevisions(through: reservation) }
        guard let batch else { return }
        if batch.isAwaited { self.awaited = batch.ticket }
        store.submit(batch)
    }
}

// MARK: The end

extension HostShell {
    /// Takes no more from anybody, after all loops of connections have stopped.
    ///
    /// What was taken is told and handed to the store with this tick.
    func stopListening() {
        self.loop.assertInEventLoop()
        self.enterTick()
        self.isStopping = true
        for peer in self.peers.values { peer.dismiss() }
    }

    /// Nothing more happens by itself, and nothing can be done about connections: their loops, which refer to this, are let go.
    func stop() {
        self.loop.assertInEventLoop()
        self.refresh?.cancel()
        self.deadline?.task.cancel()
        self.connectionLoops = []
        self.near = nil
        self.orders = []
    }
}
