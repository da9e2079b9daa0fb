import NIOCore
package import RacHost
import RacProtocol

/// One tick of the host: it begins, messages come in, it ends, and its results leave in one order.
///
/// The end gives the outputs first, then the orders for connections, then the batch for the store. So a client does not
/// wait while the store is notified. The orders begin with the credits for bytes that were taken. Reached limits, refused
/// acts and applied wills follow, then rates of reading, the ends of evicted connections, and `drained`. A part of the batch
/// leaves earlier, before the message that follows it.
///
/// A turn does no I/O and has no clock. The daemon's shell and the simulator drive the same code.
///
/// Isolation: the host's, one thread at a time; it is not Sendable.
package final class HostTurn {
    package let host: Host

    /// Whether a tick has begun and not ended.
    package private(set) var isUnderWay = false

    /// Whether the host takes nothing more from clients, because the daemon ends.
    package internal(set) var isStopping = false

    /// The newest batch that is on its way to the disk and that clients wait for.
    package internal(set) var awaited: UInt64?

    var peers: [ConnectionID: Peer] = [:]
    /// The closed connections that have yet to be reported to the host.
    var closing: [ConnectionID: Peer] = [:]
    var heldBytes: HeldBytes
    let aheadBytes: Int
    let pauseBytes: Int

    /// The connections with messages that wait for their turn.
    private var line = Line()

    /// The connections with messages that have begun to wait in this tick.
    private var uncounted: [Peer] = []

    /// The orders of this tick, in the order of their making.
    var orders: ConnectionOrders = []

    /// Connections that end when their clients have been given everything that is due.
    var finishing: Set<ConnectionID> = []

    /// The finishing connections that may have been given it with this tick.
    var mayBeDrained: [Peer] = []

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

    /// The bytes on their way that the daemon keeps for all connections.
    var heldByteCount: Int { self.heldBytes.total }

    func peer(_ id: ConnectionID) -> Peer? { self.peers[id] }

    /// Begins a tick: everything until its end happens at this time.
    ///
    /// After a turn in which nobody of the line was served, new messages go into the line, too.
    ///
    /// - Parameters:
    ///   - time: The present time.
    ///   - beginsTurn: Whether the sockets have been polled since the last tick; else the turn of that tick goes on.
    package func begin(at time: Time, beginsTurn: Bool) {
        self.isUnderWay = true
        self.host.beginTick(at: time)
        guard beginsTurn else { return }
        self.host.beginTurn(isForWaiting: self.hasLine && !self.line.isServed)
        self.line.isServed = false
    }
}

@available(*, unavailable)
extension HostTurn: Sendable {}

// MARK: Messages

extension HostTurn {
    /// Hands a message over to the host, or queues it.
    package func admit(_ words: consuming ClientWords, from peer: Peer, _ store: some BatchReceiver) {
        guard !self.mustWait(words, from: peer) else { return self.wait(words, from: peer) }
        self.givePart(to: store)
        let (credit, rest) = peer.handOver(words, to: self.host)
        self.order(credit, for: peer)
        self.count(peer)
        if let rest { self.admit(rest, from: peer, store) }
    }

    private func wait(_ words: consuming ClientWords, from peer: Peer) {
        peer.wait(words)
        self.enterLine(peer)
        // Counted with the end of the tick: the loop may still hold the frame that it has just passed.
        self.uncounted.append(peer)
    }

    /// Whether a message of a client has to wait: behind others, for the client to read, or for a later turn.
    package func mustWait(_ peer: Peer) -> Bool {
        peer.inbox.isWaiting || peer.isHeld || peer.hosted.waitsForEarlier || !self.host.admits(peer.hosted)
    }

    /// Whether this message of a client has to wait, so that cheaper ones of other clients are taken first.
    package func mustWait(_ words: borrowing ClientWords, from peer: Peer) -> Bool {
        self.mustWait(peer) || !words.isShort || !self.host.isLight(peer.hosted)
    }

    /// Hands values over to the host where they stand; their client must be one that need not wait.
    func admit(_ sends: inout PlainSends, in bytes: Span<UInt8>, from peer: Peer, _ store: some BatchReceiver) {
        repeat {
            self.givePart(to: store)
            self.host.received(&sends, in: bytes, from: peer.hosted)
        } while self.host.hasPart && sends.next(in: bytes) != nil
        self.order(peer.sent(sends.countedBytes), for: peer)
        self.count(peer)
    }

    /// The sender learns of bytes that were taken, to send as many more.
    private func order(_ taken: Int?, for peer: Peer) {
        if let taken { self.orders.append((peer.hosted.id, .took(taken))) }
    }
}

// MARK: The line

extension HostTurn {
    /// Whether connections wait for another turn.
    package var hasLine: Bool { !self.line.isEmpty }

    /// Puts a connection into the line, if a queued message of it waits for its turn.
    func enterLine(_ peer: Peer) {
        guard !peer.isInLine, peer.mayGoOn else { return }
        self.line.append(peer, isLight: self.isLight(peer))
    }

    /// Whether the next message of a connection is short, and its last ones were cheap.
    private func isLight(_ peer: Peer) -> Bool {
        guard let words = peer.inbox.first else { return false }
        return words.isShort && self.host.isLight(peer.hosted)
    }

    /// The connection whose queued message is next; nil if nobody waits for a turn, or the units of this one are spent.
    ///
    /// A connection that has spent its part goes to the end of the line. Light connections come first, and leave a part of
    /// the turn to the others.
    package func nextInLine() -> Peer? {
        let isLightFirst = self.host.hasWorkLeftForLight
        guard let peer = self.nextInLine(isLight: isLightFirst) ?? self.nextInLine(isLight: !isLightFirst) else {
            return nil
        }
        self.line.isServed = true
        return peer
    }

    private func nextInLine(isLight: Bool) -> Peer? {
        var tries = self.line.count(isLight: isLight)
        while tries > 0, self.host.hasWorkLeft, let peer = self.line.first(isLight: isLight) {
            let room = self.host.room(for: peer.hosted, among: self.line.count(isLight: isLight))
            if peer.mayGoOn, room > 0, self.isLight(peer) == isLight { return peer }
            tries -= 1
            self.line.removeFirst(isLight: isLight)
            self.enterLine(peer)
        }
        return nil
    }

    /// Passes the oldest queued message of a connection to the host, or its close.
    package func takeQueued(from peer: Peer, _ store: some BatchReceiver) {
        self.givePart(to: store)
        guard peer.inbox.isWaiting else { return self.depart(peer) }
        let room = self.host.room(for: peer.hosted, among: self.line.count(isLight: self.isLight(peer)))
        self.order(peer.goOn(to: self.host, room: room), for: peer)
        self.count(peer)
        if !self.host.hasWorkLeft { self.letOthersFirst(peer) }
        if self.finishing.contains(peer.hosted.id), peer.inbox.isThrough { self.mayBeDrained.append(peer) }
    }
}

extension HostTurn {
    /// Moves a connection whose message has spent the turn behind those that wait for the next one.
    private func letOthersFirst(_ peer: Peer) {
        for isLight in [true, false] where self.line.first(isLight: isLight) === peer {
            self.line.removeFirst(isLight: isLight)
            self.enterLine(peer)
        }
    }
}

// MARK: The end of a tick

extension HostTurn {
    /// Whether work for another turn is left, which begins when the sockets have been read.
    package var wantsTurn: Bool { self.hasLine || self.host.wantsTick }

    /// Ends the tick and gives its results to the receiver, in their order.
    package func end(into receiver: some TurnReceiver) {
        self.host.endTick()
        for peer in self.uncounted { self.count(peer) }
        self.uncounted.removeAll(keepingCapacity: self.uncounted.capacity <= 1_024)
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
            if hosted.outgoingBytes + hosted.queuedBytes > HeldBytes.freeBytes, let peer = self.peers[hosted.id] {
                self.count(peer)
            }
            if finishing.contains(hosted.id), let peer = self.peers[hosted.id] { self.mayBeDrained.append(peer) }
        }
    }

    private func giveOrders(to receiver: some TurnReceiver) {
        for (id, error) in self.host.takeReachedLimits() { self.orders.append((id, .reachedLimit(error))) }
        for acts in self.host.takeRefusedActs() { self.orders.append((acts.connection, .refused(acts))) }
        for (id, wills) in self.host.takeAppliedWills() { self.orders.append((id, .appliedWills(wills))) }
        for (id, rate) in self.host.takeRates() { self.orders.append((id, .reads(rate))) }
        for (id, code) in self.host.takeEvicted() { self.orders.append((id, .end(code))) }
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
