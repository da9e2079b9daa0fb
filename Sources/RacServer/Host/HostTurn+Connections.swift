package import RacHost

// MARK: Connections

extension HostTurn {
    /// A client has been welcomed.
    package func welcomed(_ id: ConnectionID, session: String?, agent: String?) -> Peer {
        if let session { self.disconnectEarlier(of: session) }
        let hosted = self.host.connected(id, session: session, agent: agent)
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
        if peer.isHeld { peer.dismiss() }
        peer.isClosed = true
        if peer.inbox.isWaiting || !self.host.admits(peer.hosted) {
            self.closing[peer.hosted.id] = peer
            self.enterLine(peer)
        } else {
            self.disconnect(peer)
        }
    }

    /// Tells the host of a close.
    func disconnect(_ peer: Peer) {
        peer.isClosed = false
        self.closing[peer.hosted.id] = nil
        self.host.disconnected(peer.hosted)
    }

    /// A client is back before the close of its earlier connection had its turn: the close comes first.
    package func disconnectEarlier(of session: String) {
        guard !self.closing.isEmpty else { return }
        for peer in self.closing.values where peer.hosted.isOf(session: session) {
            peer.dismiss()
            self.disconnect(peer)
        }
    }

    /// The daemon ends: queued messages are dropped, and nothing more is taken from clients.
    package func stop() {
        self.isStopping = true
        for peer in self.peers.values { peer.dismiss() }
        for peer in self.closing.values { peer.isClosed = false }
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
