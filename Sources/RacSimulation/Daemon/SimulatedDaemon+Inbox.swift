import RacHost
import RacProtocol
import RacServer

/// What clients say on its way to the host, as racd has it: who does not read is not heard.
extension SimulatedDaemon {
    func read(_ connection: ServedConnection) throws(Violation) {
        while !connection.isEnded, let incoming = try connection.next() {
            switch incoming {
            case .hello(let hello): self.welcome(hello, connection)
            case .message(let message, let bytes): try self.received(message, bytes, connection)
            }
        }
    }

    private func received(_ message: ClientMessage, _ bytes: Int, _ connection: ServedConnection) throws(Violation) {
        guard let peer = connection.peer else { return }
        self.submitPart()
        self.world.timeline?.arrived(message, from: connection.link)
        let sabotage = self.world.sabotage
        let waits = peer.mustWait && sabotage != .neverPaused
        if waits, sabotage == .lostInbox { return }
        connection.passes(message, bytes)
        if waits { self.world.timeline?.note("   that waits until \(connection.link.client.clientName) has read") }
        let heard = sabotage?.altered(message) ?? message
        guard !waits else { return _ = peer.said(ClientWords(heard, bytes: bytes), to: self.host) }
        try connection.checkMayTake()
        if case .bye = heard, sabotage == .byeIsLoss { self.host.disconnected(peer.hosted) }
        try self.took(peer.said(ClientWords(heard, bytes: bytes), to: self.host), of: connection)
    }

    /// The host has taken what waited longest, and tells of so many bytes, or later.
    private func took(_ bytes: Int?, of connection: ServedConnection) throws(Violation) {
        if let bytes { self.tookReceipts.append((connection, bytes)) }
        guard let message = connection.taken() else { return }
        try self.world.ledger.decided(message, from: connection.link.number, self.host)
    }

    /// The host hears what was written with the tick before, and takes what waited for that.
    func deliverReceipts() throws(Violation) {
        let written = self.wroteReceipts
        self.wroteReceipts = []
        for (connection, bytes) in written {
            guard let peer = connection.peer, self.connections[connection.link.number] === connection else { continue }
            self.host.wrote(bytes, to: peer.hosted)
            while peer.mayGoOn {
                try connection.checkMayTake()
                try self.took(peer.goOn(to: self.host), of: connection)
            }
        }
    }

    /// Clients that were too far ahead of the host are read again.
    func readOn() throws(Violation) {
        let taken = self.tookReceipts
        self.tookReceipts = []
        for (connection, bytes) in taken {
            connection.took(bytes)
            guard self.connections[connection.link.number] === connection else { continue }
            self.enterTick()
            try self.read(connection)
        }
    }
}
