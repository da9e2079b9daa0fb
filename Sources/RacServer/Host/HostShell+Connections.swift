import NIOCore
import RacHost
import RacProtocol
import RacStore

// MARK: From connections

extension HostShell {
    /// Takes the events of one loop's connections, in their order.
    ///
    /// - Parameters:
    ///   - batch: The events.
    ///   - know: Learns which connections the host knows from now on, and which it no longer knows.
    func receive(_ batch: ConnectionBatch, _ know: (ConnectionID, Peer?) -> Void) {
        self.loop.assertInEventLoop()
        self.enterTick()
        for (id, event) in batch.events {
            if case .welcomed(let introduction) = event {
                know(id, self.turn.welcomed(id, introduction))
            } else if let peer = self.turn.peer(id) {
                self.admit(event, of: peer, batch.bytes)
                if case .closed = event { know(id, nil) }
            }
        }
    }

    private func admit(_ event: ConnectionEvent, of peer: Peer, _ bytes: ByteBuffer) {
        switch event {
        case .welcomed: break
        case .said(let words): self.admit(words, of: peer)
        case .sent(let range, let count):
            guard let sends = bytes.getSlice(at: range.lowerBound, length: range.count) else { return }
            self.admit(ClientWords(sends: sends, bytes: count), of: peer)
        case .wrote(let bytes): self.turn.wrote(bytes, to: peer)
        case .isWritable(let isWritable): self.turn.host.setWritable(peer.hosted, isWritable)
        case .holds(let bytes): self.turn.holds(bytes, for: peer)
        case .saidAll: self.turn.saidAll(peer)
        case .closed: self.turn.closed(peer)
        }
    }

    /// Admits a message of a client.
    func admit(_ words: consuming ClientWords, of peer: Peer) {
        guard !self.turn.isStopping else { return }
        self.enterTick()
        self.turn.admit(words, from: peer, self)
    }

    /// Admits values of a client that need not wait; messages of another kind are left.
    func admit(_ sends: inout PlainSends, in bytes: Span<UInt8>, from peer: Peer) {
        guard !self.turn.isStopping else { return }
        self.enterTick()
        self.turn.admit(&sends, in: bytes, from: peer, self)
    }
}

// MARK: To connections

/// Sorts a tick's results by their receivers: the connections of the host's own loop, other loops, the store.
struct TickOutput<Here: ConnectionsHere>: TurnReceiver {
    let shell: HostShell
    let here: Here

    func write(_ output: Outgoing, to connection: HostedConnection) {
        let id = connection.id
        if id.loop == self.shell.ownLoop {
            self.here.write(output, to: id)
        } else {
            self.shell.order(.write(output), of: id)
        }
    }

    func give(_ order: ConnectionOrder, to id: ConnectionID) {
        if id.loop == self.shell.ownLoop { self.here.obey(order, of: id) } else { self.shell.order(order, of: id) }
    }

    func finishOrders() {
        self.here.finishOrders()
        self.shell.sendOrders()
    }

    func reserve(through revision: Revision) { self.shell.reserve(through: revision) }

    func submit(_ batch: StoreBatch) { self.shell.submit(batch) }
}

extension HostShell {
    fileprivate func order(_ order: ConnectionOrder, of id: ConnectionID) {
        // None are left after the end.
        guard id.loop < self.orders.count else { return }
        self.orders[id.loop].append((id, order))
    }

    fileprivate func sendOrders() {
        for loop in self.orders.indices where !self.orders[loop].isEmpty {
            let orders = self.orders[loop]
            self.orders[loop] = []
            self.loops[loop](orders)
        }
    }
}
