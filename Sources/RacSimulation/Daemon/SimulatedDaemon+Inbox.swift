import RacHost
import RacProtocol
import RacServer

/// The way of clients' messages to the host, as in racd: a client that does not read is paused.
extension SimulatedDaemon {
    func read(_ connection: ServedConnection) throws(Violation) {
        while !connection.isEnded, let incoming = try connection.next() {
            switch incoming {
            case .hello(let hello): try self.welcome(hello, connection)
            case .message(let message, let bytes): try self.received(message, bytes, connection)
            }
        }
    }

    private func received(_ message: ClientMessage, _ bytes: Int, _ connection: ServedConnection) throws(Violation) {
        guard let peer = connection.peer else { return }
        if self.door.message(isKnown: true) == .deliverAndEnter { try self.deliver() }
        self.world.timeline?.arrived(message, from: connection.link)
        let sabotage = self.world.sabotage
        let heard = sabotage?.altered(message) ?? message
        if sabotage == .earlySuccessor, peer.hosted.waitsForEarlier, !peer.inbox.isWaiting {
            connection.passes(message, bytes)
            self.host.received(heard, bytes: bytes, from: peer.hosted)
            return try self.decided(connection)
        }
        let words = ClientWords(heard, bytes: bytes)
        let waits = self.turn.mustWait(words, from: peer) && !(sabotage == .neverPaused && peer.isHeld)
        if waits, sabotage == .lostInbox { return }
        connection.passes(message, bytes)
        if waits { self.world.timeline?.note("   that waits for a turn, or for the client to read") }
        if !waits {
            try connection.checkMayTake()
            if case .bye = heard, sabotage == .byeIsLoss { _ = self.host.disconnected(peer.hosted) }
        }
        self.turn.admit(words, from: peer, self)
        if !waits { try self.decided(connection) }
    }

    /// The host has taken the oldest message that waited.
    private func decided(_ connection: ServedConnection) throws(Violation) {
        guard let message = connection.taken() else { return }
        try self.world.ledger.decided(message, from: connection.link.number, self.host)
    }

    /// Delivers the gathered receipts to the host.
    func deliver() throws(Violation) {
        guard self.door.takesGathered() else { return }
        let written = self.wroteReceipts
        self.wroteReceipts = []
        for (connection, bytes) in written {
            guard let peer = connection.peer, self.connections[connection.link.number] === connection else { continue }
            self.turn.wrote(bytes, to: peer)
        }
    }

    /// Passes queued messages to the host, as far as the units of the turn go.
    func takeQueued() throws(Violation) {
        if self.world.sabotage == .seldomTurns, !self.ticks.isMultiple(of: 64) { return }
        while let peer = self.turn.nextInLine() {
            let number = Int(peer.hosted.id.number)
            let isMessage = peer.inbox.isWaiting
            // Without a message it is the end of a connection, whose unread bytes hold nobody up.
            if isMessage, let connection = self.connections[number] { try connection.checkMayTake() }
            self.turn.takeQueued(from: peer, self)
            if isMessage, let connection = self.connections[number] ?? self.closing[number] {
                try self.decided(connection)
            }
            try self.noteReleases()
        }
    }

    /// A message that waits for nothing but its turn is taken before each other client has had two turns.
    ///
    /// Light clients come first, and one that spends more than a short turn of the plan may do so for some turns more.
    func checkTurns() throws(Violation) {
        try hold(.judged, self.turnsUnjudged <= self.turnsToJudge) {
            "connections wait for new rules for \(self.turnsUnjudged) turns"
        }
        let ofLight = WorkTurn.unitsOfLight / (self.world.plan.weather.bounds.unitsPerTurn ?? .max)
        let longest = 2 * (self.connections.count + self.closing.count) + 2 + ofLight
        for connection in self.connections.values {
            let turns = connection.turnEnded()
            try hold(.turns, turns <= longest) {
                "a message of \(connection.link.client.clientName) waits for \(turns) turns"
            }
        }
    }

    /// Reads clients again that were too far ahead of the host.
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
