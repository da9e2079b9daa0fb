import NIOCore
import RacHost
import RacProtocol

// MARK: From connections

extension HostShell {
    /// Names the loops that have connections, before any of them has one.
    func connect(_ loops: [LoopReference<ConnectionLoop>]) {
        self.connectionLoops = loops
        self.near = loops.first { $0.loop === self.loop }?.value
        self.orders = loops.map { _ in [] }
    }

    /// Takes the events of one loop's connections, in their order.
    func receive(_ events: ConnectionEvents) {
        self.loop.assertInEventLoop()
        self.enterTick()
        for (id, event) in events {
            if case .welcomed(let session, let agent) = event {
                self.near?.met(self.turn.welcomed(id, session: session, agent: agent))
            } else if let peer = self.turn.peer(id) {
                self.take(event, of: peer)
            }
        }
    }

    private func take(_ event: ConnectionEvent, of peer: Peer) {
        switch event {
        case .welcomed: break
        case .said(let words): self.pass(words, of: peer)
        case .wrote(let bytes):
            self.turn.wrote(bytes, to: peer)
            while self.turn.takeQueued(from: peer) {}
        case .isWritable(let isWritable): self.turn.host.setWritable(peer.hosted, isWritable)
        case .holds(let bytes): self.turn.holds(bytes, for: peer)
        case .saidAll: self.turn.saidAll(peer)
        case .closed:
            peer.part()
            self.turn.closed(peer)
        }
    }

    /// Takes a message of a client.
    func pass(_ words: consuming ClientWords, of peer: Peer) {
        guard !self.turn.isStopping else { return }
        self.enterTick()
        self.turn.take(words, from: peer, self)
    }

    /// Takes values of a client that need not wait; messages of another kind are left.
    func pass(_ sends: inout PlainSends, in bytes: Span<UInt8>, from peer: Peer) {
        guard !self.turn.isStopping else { return }
        self.enterTick()
        self.turn.take(&sends, in: bytes, from: peer, self)
    }
}

// MARK: To connections

extension HostShell: TurnReceiver {
    func write(_ output: Outgoing, to hosted: HostedConnection) {
        if let near = self.near, let handler = hosted.holder as? ConnectionHandler {
            near.write(output, to: handler)
        } else {
            self.give(.write(output), to: hosted.id)
        }
    }

    func give(_ order: ConnectionOrder, to id: ConnectionID) {
        guard !self.orders.isEmpty else { return }
        self.orders[ConnectionNumbers.loop(of: id, among: self.orders.count)].append((id, order))
    }

    /// Sends each loop its orders; the connections of the same loop learn of the end even without orders.
    func finishOrders() {
        for loop in self.orders.indices {
            let reference = self.connectionLoops[loop]
            guard !self.orders[loop].isEmpty || reference.loop === self.loop else { continue }
            let orders = self.orders[loop]
            self.orders[loop] = []
            reference.tell(from: self.loop) { $0.obey(orders) }
        }
    }
}
