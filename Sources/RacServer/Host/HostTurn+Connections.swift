package import RacHost
import RacProtocol

// MARK: Connections

extension HostTurn {
    /// A client has been welcomed.
    package func welcomed(_ id: ConnectionID, _ introduction: Introduction) -> Peer {
        let predecessor = self.host.predecessor(of: introduction)
        self.disconnect(predecessor)
        let earlier = predecessor.flatMap { self.peers[$0] }
        let hosted = self.host.connected(id, introduction)
        if let earlier {
            earlier.dismiss()
            self.departs(earlier)
        }
        let peer = Peer(hosted, aheadBytes: self.aheadBytes, pauseBytes: self.pauseBytes)
        self.peers[id] = peer
        return peer
    }

    /// Bytes of the output are on their way to the client; messages that waited for that get into the line.
    package func wrote(_ bytes: Int, to peer: Peer) {
        self.host.wrote(bytes, to: peer.hosted)
        self.enterLine(peer)
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
    ///
    /// The close takes its turn behind the queued messages. Messages that waited for the client to read are dropped.
    package func closed(_ peer: Peer) {
        self.peers[peer.hosted.id] = nil
        self.finishing.remove(peer.hosted.id)
        self.heldBytes.letsGo(peer.hosted.id)
        peer.share = .evicted
        guard !self.isStopping else { return }
        if peer.isHeld { self.dismiss(peer) }
        self.closing[peer.hosted.id] = peer
        self.departs(peer)
    }

    /// A connection has ended: the host releases what it had, behind the queued messages and in turns.
    private func departs(_ peer: Peer) {
        peer.isDeparting = true
        if !peer.inbox.isWaiting, self.host.admits(peer.hosted) { self.depart(peer) }
        self.enterLine(peer)
    }

    /// Releases more of what a connection had that has ended.
    func depart(_ peer: Peer) {
        guard self.host.disconnected(peer.hosted) else { return }
        peer.isDeparting = false
        self.closing[peer.hosted.id] = nil
        if let id = peer.hosted.successor, let next = self.peers[id] ?? self.closing[id] { self.enterLine(next) }
    }

    /// A client is back before the close of its earlier connection had its turn: the close comes first.
    package func disconnectPredecessor(of introduction: Introduction) {
        self.disconnect(self.host.predecessor(of: introduction))
    }

    private func disconnect(_ id: ConnectionID?) {
        guard let id, let peer = self.closing[id] else { return }
        self.dismiss(peer)
        self.depart(peer)
    }

    /// Drops the queued messages of a closed connection; a `bye` among them holds all the same.
    private func dismiss(_ peer: Peer) {
        if peer.dismiss() { self.host.received(.bye, bytes: 0, from: peer.hosted) }
    }

    /// The daemon ends: queued messages are dropped, and nothing more is taken from clients.
    package func stop() {
        self.isStopping = true
        for peer in self.peers.values {
            peer.dismiss()
            peer.isDeparting = false
        }
        for peer in self.closing.values {
            peer.dismiss()
            peer.isDeparting = false
        }
        self.closing = [:]
    }

    /// Evicts connections if the bytes that the daemon keeps are too many with this connection's.
    func count(_ peer: Peer) {
        guard peer.mayCount else { return }
        for id in self.heldBytes.counts(peer) {
            guard let evicted = self.peers[id] else { continue }
            evicted.share = .evicted
            self.orders.append((id, .letGo(isUnread: evicted.isUnread)))
        }
    }
}
