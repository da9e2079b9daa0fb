package import RacHost
import RacProtocol
package import RacStore

/// One tick of the host: it begins, messages come in, it ends, and its results leave in one order.
///
/// The end gives the outputs first, then the orders for connections, then the batch for the store. So a client does not
/// wait while the store is told. Among the orders an eviction stands behind the bytes that were taken and before
/// `drained`. A part of the batch leaves earlier, before the message that follows it.
///
/// A turn does no I/O and has no clock. The daemon's shell and the simulator drive the same code.
///
/// Isolation: the host's, one thread at a time; it is not Sendable.
package final class HostTurn {
    package let host: Host

    /// Whether a tick has begun and not ended.
    package private(set) var isUnderWay = false

    /// Whether the host takes nothing more from clients, because the daemon ends.
    package private(set) var isStopping = false

    /// The newest batch that is on its way to the disk and that clients wait for.
    package private(set) var awaited: UInt64?

    private var peers: [ConnectionID: Peer] = [:]
    private var heldBytes: HeldBytes
    private let aheadBytes: Int
    private let pauseBytes: Int

    /// The orders of this tick, in the order of their making.
    private var orders: ConnectionOrders = []

    /// Connections that end when their clients have been given everything that is due.
    private var finishing: Set<ConnectionID> = []

    /// The finishing connections that may have been given it with this tick.
    private var mayBeDrained: [Peer] = []

    /// Makes the turns of a host.
    ///
    /// - Parameters:
    ///   - host: The host; nobody else begins or ends its ticks.
    ///   - heldBytes: The limit of the bytes that the daemon keeps for all connections together.
    ///   - aheadBytes: The limit of a client's bytes that are read ahead of the host.
    ///   - pauseBytes: While more bytes than this wait for a client to read, its messages wait too.
    package init(
        _ host: Host,
        heldBytes: Int,
        aheadBytes: Int = FlowWindow.aheadBytes,
        pauseBytes: Int = Peer.pauseBytes
    ) {
        self.host = host
        self.heldBytes = HeldBytes(limit: heldBytes)
        self.aheadBytes = aheadBytes
        self.pauseBytes = pauseBytes
    }

    func peer(_ id: ConnectionID) -> Peer? { self.peers[id] }

    /// Begins a tick: everything until its end happens at this time.
    package func begin(at time: Time) {
        self.isUnderWay = true
        self.host.beginTick(at: time)
    }
}

@available(*, unavailable)
extension HostTurn: Sendable {}

// MARK: Messages

extension HostTurn {
    /// Passes a message to the host, or queues it while its client does not read.
    package func take(_ words: consuming ClientWords, from peer: Peer, _ store: some BatchReceiver) {
        self.givePart(to: store)
        self.order(peer.said(words, to: self.host), for: peer)
        self.count(peer)
    }

    /// Passes values to the host where they stand; their client must be one that need not wait.
    func take(_ sends: inout PlainSends, in bytes: Span<UInt8>, from peer: Peer, _ store: some BatchReceiver) {
        repeat {
            self.givePart(to: store)
            self.host.received(&sends, in: bytes, from: peer.hosted)
        } while self.host.hasPart && sends.next(in: bytes) != nil
        self.order(peer.sent(sends.payloadBytes), for: peer)
        self.count(peer)
    }

    /// Passes the oldest queued message to the host; false if none is queued, or its client still does not read.
    package func takeQueued(from peer: Peer) -> Bool {
        guard peer.mayGoOn else { return false }
        self.order(peer.goOn(to: self.host), for: peer)
        self.count(peer)
        return true
    }

    /// The sender learns of bytes that were taken, to send as many more.
    private func order(_ taken: Int?, for peer: Peer) {
        if let taken { self.orders.append((peer.hosted.id, .took(taken))) }
    }
}

// MARK: Connections

extension HostTurn {
    /// A client has been welcomed.
    package func welcomed(_ id: ConnectionID, session: String?, agent: String?) -> Peer {
        let hosted = self.host.connected(id, session: session, agent: agent)
        let peer = Peer(hosted, aheadBytes: self.aheadBytes, pauseBytes: self.pauseBytes)
        self.peers[id] = peer
        return peer
    }

    /// Bytes of the output are on their way to the client; `takeQueued` then takes the messages that waited for that.
    package func wrote(_ bytes: Int, to peer: Peer) {
        self.host.wrote(bytes, to: peer.hosted)
        self.count(peer)
    }

    /// The connection's loop keeps this many bytes for it.
    func holds(_ bytes: Int, for peer: Peer) {
        peer.heldByLoop = bytes
        self.count(peer)
    }

    /// The client sends nothing more; `drained` follows when it has been given everything that is due.
    func saidAll(_ peer: Peer) {
        peer.saidAll()
        self.finishing.insert(peer.hosted.id)
        self.mayBeDrained.append(peer)
    }

    /// The connection is closed; its wills are applied, unless it is the daemon that leaves.
    package func closed(_ peer: Peer) {
        self.peers[peer.hosted.id] = nil
        self.finishing.remove(peer.hosted.id)
        self.heldBytes.letsGo(peer.hosted.id)
        if !self.isStopping { self.host.disconnected(peer.hosted) }
    }

    /// The daemon ends: queued messages are dropped, and nothing more is taken from clients.
    package func stop() {
        self.isStopping = true
        for peer in self.peers.values { peer.dismiss() }
    }

    /// Evicts connections if the bytes that the daemon keeps are too many with this connection's.
    private func count(_ peer: Peer) {
        guard peer.mayCount else { return }
        for id in self.heldBytes.counts(peer) {
            guard let evicted = self.peers[id] else { continue }
            evicted.share = .evicted
            self.orders.append((id, .letGo(isUnread: evicted.isUnread)))
        }
    }
}

// MARK: The store

extension HostTurn {
    /// The store tells what has become of batches and reservations.
    package func stored(_ event: StoreEvent) {
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

    /// Gives the store a part of the tick's changes, if there are enough: it writes rows while the tick goes on.
    private func givePart(to store: some BatchReceiver) {
        if let part = self.host.takePart() { self.give(part, to: store) }
    }

    private func give(_ batch: StoreBatch?, to store: some BatchReceiver) {
        if let reservation = self.host.takeReservation() { store.reserve(through: reservation) }
        guard let batch else { return }
        if batch.isAwaited { self.awaited = batch.ticket }
        store.submit(batch)
    }
}

// MARK: The end of a tick

extension HostTurn {
    /// Ends the tick and gives its results to the receiver, in their order.
    package func end(into receiver: some TurnReceiver) {
        self.host.endTick()
        self.giveOutputs(to: receiver)
        self.giveOrders(to: receiver)
        self.give(self.host.takeBatch(), to: receiver)
        self.isUnderWay = false
    }

    private func giveOutputs(to receiver: some TurnReceiver) {
        // Read once for all connections: each read of a stored reference counts it.
        let (host, finishing) = (self.host, self.finishing)
        host.takeListed().forEachUncounted { hosted in
            let output = host.takeOutput(of: hosted)
            if !output.isEmpty { receiver.write(output, to: hosted) }
            if hosted.outgoingBytes > HeldBytes.freeBytes, let peer = self.peers[hosted.id] { self.count(peer) }
            if finishing.contains(hosted.id), let peer = self.peers[hosted.id] { self.mayBeDrained.append(peer) }
        }
    }

    private func giveOrders(to receiver: some TurnReceiver) {
        for id in self.host.takeEvicted() { self.orders.append((id, .end)) }
        self.orderDrained()
        for (id, order) in self.orders { receiver.give(order, to: id) }
        // Kept for the next tick, unless a busy tick made it large.
        self.orders.removeAll(keepingCapacity: self.orders.capacity <= 1_024)
        receiver.finishOrders()
    }

    private func orderDrained() {
        for peer in self.mayBeDrained where peer.isDrained && self.finishing.remove(peer.hosted.id) != nil {
            self.orders.append((peer.hosted.id, .drained))
        }
        if !self.mayBeDrained.isEmpty { self.mayBeDrained = [] }
    }
}
