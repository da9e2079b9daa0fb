import NIOCore
import NIOPosix
import RacHost
import RacProtocol
import RacWeb

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
            handler.turnCame(self.reading.roomInLine(for: handler.share))
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
            guard let handler = self.handlers[id] else { continue }
            if let frame = handler.input.takeLong() {
                self.readApart(of: id) {
                    Result { () throws(FrameError) in try frame.words() }
                } then: {
                    $0.wasRead($1)
                }
            } else if case .http(let side) = handler.dialect, let routing = side.takeLong() {
                self.readApart(of: id) {
                    Result { () throws(WebProblem) in try routing.route() }
                } then: { handler, route in
                    if case .http(let side) = handler.dialect { side.wasRead(route) }
                }
            }
        }
    }

    /// Reads what a connection has, and then what waits behind it.
    private func readApart<Value: Sendable>(
        of id: ConnectionID,
        _ read: @escaping @Sendable () -> Value,
        then: @escaping (ConnectionHandler, Value) -> Void
    ) {
        self.reading.beganApart()
        self.readApart(read) { value in
            self.reading.endedApart()
            if let handler = self.handlers[id] { then(handler, value) }
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
        while let id = self.handshakes.next() { self.handlers[id]?.entrance?.turnCame() }
    }
}
