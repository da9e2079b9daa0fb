import NIOCore
import NIOPosix
import RacHost
import RacProtocol

// MARK: In turns

extension ConnectionLoop {
    /// Reading bytes of a client has cost this many units.
    func spent(_ units: Int, by handler: ConnectionHandler) {
        self.reading.spend(units, by: &handler.share)
    }

    /// The units of this turn that a client may spend on being read.
    func roomToRead(for handler: ConnectionHandler) -> Int { self.reading.room(for: handler.share) }

    /// A client waits for the next turn.
    func awaitsTurn(_ handler: ConnectionHandler, bytes: Int) {
        self.reading.wait(handler.id, bytes: bytes)
        self.enterTick()
    }

    /// Reads the clients in the line, when the sockets have been polled.
    func readInTurn() {
        self.reading.polled()
        while let id = self.reading.next() {
            guard let handler = self.handlers[id] else { continue }
            handler.conversation?.turnCame(self.reading.roomInLine(for: handler.share))
        }
    }
}

// MARK: Apart from the loop

extension ConnectionLoop {
    /// A client has a long frame, or the long body of a request, which waits for those of other clients.
    func awaitsReadingApart(_ handler: ConnectionHandler) {
        self.reading.waitApart(handler.id)
        self.readNextApart()
    }

    private func readNextApart() {
        while let id = self.reading.nextApart() {
            self.handlers[id]?.conversation?.readApart()
        }
    }

    /// Reads what a connection has on another thread, and then what waits behind it.
    ///
    /// - Parameters:
    ///   - handler: The connection, whose turn to be read apart has come.
    ///   - read: Reads a message.
    ///   - then: Takes it, if the connection is still there.
    func readApart<Value: Sendable>(
        of handler: ConnectionHandler,
        _ read: @escaping @Sendable () -> Value,
        then: @escaping (Value) -> Void
    ) {
        let id = handler.id
        self.reading.beganApart()
        self.readApart(read) { value in
            self.reading.endedApart()
            if self.handlers[id] != nil { then(value) }
            self.readNextApart()
        }
    }
}

extension ConnectionLoop {
    /// Does work of milliseconds on another thread, and goes on here with its result.
    func readApart<Value: Sendable>(
        _ work: @escaping @Sendable () -> Value,
        then: @escaping (Value) -> Void
    ) {
        let next = NIOLoopBound(then, eventLoop: self.loop)
        let back = LoopReference(self, on: self.loop)
        let read: @Sendable () -> Void = {
            let value = work()
            back.loop.execute {
                back.value.enterTick()
                next.value(value)
            }
        }
        guard let readers else { return self.loop.execute(read) }
        readers.submit { if case .active = $0 { read() } }
    }
}

// MARK: Handshakes

extension ConnectionLoop {
    /// Whether a step of a connection's TLS handshake may happen now; if not, the connection waits for its turn.
    func admitsHandshake(of handler: ConnectionHandler) -> Bool {
        if self.handshakes.admits { return true }
        self.handshakes.wait(handler.id)
        return false
    }

    /// Lets connections in the line go on with their handshakes.
    func shakeHandsInTurn() {
        while let id = self.handshakes.next() { self.handlers[id]?.tls.entrance?.turnCame() }
    }
}
