package import RacHost

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
    func count(_ peer: Peer) {
        guard peer.mayCount else { return }
        for id in self.heldBytes.counts(peer) {
            guard let evicted = self.peers[id] else { continue }
            evicted.share = .evicted
            self.orders.append((id, .letGo(isUnread: evicted.isUnread)))
        }
    }
}
