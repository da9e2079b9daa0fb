import NIOCore
import RacHost
import RacProtocol

extension ConnectionHandler {
    func obey(_ order: ConnectionOrder) {
        switch order {
        case .write(let output): self.write(output)
        case .took(let bytes): self.conversation?.took(bytes)
        case .drained: self.drained()
        case .end(let code):
            if let code { self.ends(because: code) } else { self.noteBye() }
            self.end()
        case .letGo(let isUnread): self.letGo(isUnread: isUnread)
        case .reachedLimit(let error): self.loop.report("a limit was reached", error, of: self)
        case .refused(let acts): self.loop.audit(acts.act, count: acts.count, others: acts.others, of: self)
        // The loop logs it, since this connection would be gone.
        case .appliedWills: break
        case .reads(let rate): self.reads(at: rate)
        }
    }

    /// Writes the host's output for the connection.
    func write(_ output: Outgoing) {
        guard !self.closing.isEnded else { return }
        // An answer of HTTP may let the next request begin, and that makes the host know another client.
        let (id, written) = (self.id, self.reported.receipt.took(output.count))
        self.conversation?.write(output)
        // The host forgets the bytes first, or it would count them twice for a moment.
        if let written, id == self.id { self.loop.submit(.wrote(written), of: self) }
        self.tellHeldBytes()
    }

    /// Writes bytes as they are.
    func send(_ frames: FrameBytes) {
        guard let outlet else { return }
        if let tried = outlet.write(frames, hasRoom: self.loop.output.hasRoom) { self.loop.output.wrote(tried) }
        guard outlet.backlogBytes > 0 else { return }
        if outlet.beginsToGather() { self.loop.gathering.append(self) }
        // A tick's frames mostly go out at its end, and nobody need know of them.
        if outlet.gathers, outlet.takesMore { return }
        self.enterOutputLine(outlet)
        // Reported at once: until the host knows of the backlog, it answers more of the client's requests.
        self.tellWritable()
    }

    private func enterOutputLine(_ outlet: Outlet) {
        guard outlet.entersLine() else { return }
        self.loop.output.waits(self.id, bytes: outlet.backlogBytes)
        self.loop.awaitTurn()
    }

    /// The tick ends: what was gathered in it goes out.
    func passOutput(_ buffer: inout ByteBuffer) {
        guard let outlet else { return }
        let bytes = outlet.endTick(&buffer, hasRoom: self.loop.output.hasRoom)
        if bytes > 0 { self.loop.output.wrote(bytes) }
        self.wroteMore()
    }

    /// The turn of the connection's output has come.
    func outputTurnCame(_ buffer: inout ByteBuffer) {
        guard let outlet else { return }
        outlet.turnCame(&buffer) { self.loop.output.wrote($0) }
        self.wroteMore()
    }

    /// Bytes that waited are on their way.
    func wroteMore() {
        self.conversation?.outputLeft()
        guard let outlet, outlet.backlogBytes > 0 || !self.reported.isWritable || self.reported.heldBytes > 0 else {
            return
        }
        self.enterOutputLine(outlet)
        self.tellHeldBytes()
        self.tellWritable()
    }

    /// Ends the connection behind all answers that are due, with the error as the last word.
    ///
    /// - Parameter error: The reason.
    func end(because error: WireError) {
        guard self.closing.failed(error) else { return }
        self.ends(because: error.code)
        self.loop.report("a connection was ended", error, of: self)
        // A client whose handshake is not over would not understand the reason.
        guard self.tls.entrance == nil else { return self.close() }
        self.stopListening()
        self.drain()
    }

    /// Keeps the code of the error that ends the connection, for the log and the end of a WebSocket.
    private func ends(because code: String) {
        self.note(code)
        self.conversation?.ends(because: code)
    }

    /// Refuses a client that the rules do not accept, after a pause; later bytes of the client do not count.
    func refuse(_ reason: LoggedReason, after pause: TimeAmount) {
        guard self.closing.refused(WireError(.unauthenticated, reason.answer)) else { return }
        self.ends(because: ErrorCode.unauthenticated.rawValue)
        self.loop.audit(RefusedAct(.unauthenticated, nil, .hello), of: self)
        self.loop.report("a connection was ended", reason, of: self)
        self.stopListening()
        self.loop.loop.assumeIsolated().scheduleTask(in: pause) {
            self.closing.pauseEnded()
            self.drain()
        }
    }

    /// The client has closed its sending side; it gets the answers that are due, then the end.
    func inputEnded() {
        switch self.closing.inputClosed() {
        case .drain:
            self.note(Self.hungUp)
            self.drain()
        case .close: self.close()
        case .nothing: break
        }
    }

    /// Takes no more messages: later bytes of the client are read and dropped.
    private func stopListening() {
        let wasHeld = self.conversation?.isHeld ?? false
        self.conversation?.dismiss()
        self.tellHeldBytes()
        if wasHeld { self.context?.read() }
    }

    /// Ends the connection behind its due answers, if no more messages of the client count.
    func drain() {
        guard self.conversation?.hasMessages != true, self.closing.asks() else { return }
        if self.isWelcomed { self.loop.submit(.saidAll, of: self) } else { self.drained() }
    }

    private func drained() {
        switch self.closing.drained() {
        case .nothing: break
        case .end(let error):
            if let error { self.conversation?.refuse(error) }
            self.end()
        }
    }

    /// Ends the connection after what was written.
    ///
    /// Half-close first: a full close drops what the kernel has not sent yet, the `refused` among it.
    func end() {
        guard self.tls.entrance == nil else { return self.close() }
        guard self.closing.ended() else { return }
        self.loop.enterTick()
        self.conversation?.sayGoodbye()
        self.stopListening()
        // The client has the time of its heartbeats for what it has not read, and the linger time behind that.
        let patience = self.isWelcomed ? self.loop.configuration.heartbeat * 5 / 2 : Self.lingerTime
        self.heartbeat = HeartbeatStateMachine(interval: patience, at: self.loop.now)
        self.outlet?.end {
            self.closing.written()
            self.heartbeat = HeartbeatStateMachine(interval: Self.lingerTime, at: self.loop.now)
        }
    }

    /// Reports to the host the bytes kept here for the connection, if they are or were many.
    func tellHeldBytes() {
        let bytes = (self.conversation?.keptBytes ?? 0) + (self.outlet?.waitingBytes ?? 0)
        let counted = bytes > HeldBytes.freeBytes / 2 ? bytes : 0
        guard counted != self.reported.heldBytes, self.isWelcomed else { return }
        self.reported.heldBytes = counted
        self.loop.submit(.holds(counted), of: self)
    }

    /// Reports to the host whether the socket takes more bytes, if that has changed.
    func tellWritable() {
        guard let context, let outlet, self.isWelcomed else { return }
        let isWritable =
            outlet.takesMore && self.conversation?.isLate != true && (outlet.isDirect || context.channel.isWritable)
        guard isWritable != self.reported.isWritable else { return }
        self.reported.isWritable = isWritable
        self.loop.submit(.isWritable(isWritable), of: self)
    }

    /// Ends the connection because the daemon keeps too many bytes, and this one has many and makes no progress.
    private func letGo(isUnread: Bool) {
        self.end(because: WireError(.limit, "the daemon keeps too much for clients that do not finish or do not read"))
        // The farewell cannot reach a client that does not read: its bytes must go now.
        if isUnread || (self.outlet?.waitingBytes ?? 0) > 0 { self.close() }
    }
}

/// The state of a connection, as last reported to the host.
struct ReportedState {
    /// Written bytes that are not yet credited to the host.
    var receipt = FlowReceipt(threshold: FlowReceipt.writtenBytes)

    /// The bytes kept here for the connection.
    var heldBytes = 0

    /// Whether the socket takes more bytes.
    var isWritable = true
}
