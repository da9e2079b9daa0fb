import DequeModule
import NIOCore
import NIOHTTP1
import RacHost
import RacProtocol
import RacWeb

// MARK: Whole answers

extension HTTPConversation {
    /// Writes an answer as bytes.
    func bytes(
        of response: WebResponse,
        _ framing: ResponseWriter.Framing,
        by writer: ResponseWriter
    ) -> FrameBytes {
        self.web.write(response, framing, by: writer, at: HostShell.time(on: self.connection.loop.loop).wall)
    }

    /// Answers the present request, which is over with that.
    func answer(_ response: WebResponse) {
        if let present = self.exchange.present { self.answer(response, to: present) }
    }

    /// The log shows a request that was refused.
    private func reported(_ problem: WebProblem) {
        self.connection.loop.report("a request was refused", problem.refusal.error, of: self.connection)
    }

    /// Refuses the present request; a client with an unknown token learns of it after a pause, so that guessing is slow.
    func answer(_ problem: WebProblem, to present: IncomingRequest) {
        // Neither the page nor its user sees the answer to a WebSocket, so the log has the reason.
        if [.forbidden, .misdirectedRequest].contains(problem.status) { self.reported(problem) }
        let isGuess = problem.status == .unauthorized && (try? present.request.token()) ?? nil != nil
        guard isGuess || problem.status == .unauthorized && present.bodyBytes > 0 else {
            return self.answer(WebResponse(problem), to: present)
        }
        self.exchange.waitsApart()
        self.reported(problem)
        let pause = ConnectionHandler.refusalPause
        self.connection.loop.loop.assumeIsolated().scheduleTask(in: pause) { [weak self] in
            guard let self, case .apart = self.exchange.work, self.connection.closing.isOpen else { return }
            present.isLast = true
            self.answer(WebResponse(problem), to: present)
        }
    }

    private func answer(_ response: WebResponse, to present: IncomingRequest) {
        let isLast = present.isLast || self.exchange.isInputOver(self.unread)
        let writer = ResponseWriter(to: present.head.message, present.head.page, isLast: isLast)
        let bytes = self.bytes(of: response, .length, by: writer)
        self.connection.loop.spent(Self.units(of: bytes.count), by: self.connection)
        self.connection.send(bytes)
        self.finish(isLast: isLast)
    }

    /// The answer has been given.
    private func finish(isLast: Bool) {
        self.exchange.answered()
        self.progressed()
        if isLast { self.connection.end() }
    }
}

// MARK: The host's answers

extension HTTPConversation {
    /// The host has answered, or written messages for the connection; long ones wait for their turn.
    func write(_ output: Outgoing) {
        guard self.late.isEmpty, !self.isLong(output) || self.connection.loop.roomToRead(for: self.connection) > 0
        else {
            self.late.append(output)
            self.connection.tellWritable()
            return self.awaitTurn(bytes: output.count)
        }
        self.take(output)
        self.goOn()
        self.connection.resumeReading()
    }

    /// Whether an output takes a good part of a turn.
    private func isLong(_ output: Outgoing) -> Bool {
        guard output.count > LongFrame.plainBytes else { return false }
        guard self.exchange.isStreaming else { return true }
        return !self.connection.loop.sharedEvents.knows(output.messages ?? [])
    }

    private func take(_ output: Outgoing) {
        if self.isLong(output) { self.connection.loop.spent(Self.units(of: output.count), by: self.connection) }
        self.received(output.messages ?? [])
    }

    /// Takes the next output that waited, in a turn of the client.
    func takeLate() {
        if let output = self.late.popFirst() { self.take(output) }
    }

    /// Whether output of the host waits for its turn, so that more is not welcome.
    var isLate: Bool { !self.late.isEmpty }

    func sayGoodbye() {
        self.takeAllLate()
        self.progressed()
    }

    /// Takes all output that waits, because the connection is about to end.
    ///
    /// A stream leaves its events out: its client asks again for those behind the last one, and many ends must not delay others.
    private func takeAllLate() {
        if case .host(_, let exchange) = self.exchange.work, exchange.isOfEvents { self.late.removeAll() }
        while let output = self.late.popFirst() { self.take(output) }
    }

    func refuse(_ error: WireError) {
        self.ends(because: Refusal(error))
    }

    func ends(because code: String) {}

    private func received(_ messages: [ServerMessage]) {
        if self.exchange.isStreaming, !self.endsWithConnection,
            let events = self.connection.loop.sharedEvents.chunk(of: messages)
        {
            return self.connection.send(events)
        }
        for message in messages { self.received(message) }
    }

    private func received(_ message: ServerMessage) {
        guard let parts = self.exchange.answer({ $0.received(message) }) else {
            return self.received(unasked: message)
        }
        self.give(parts)
    }

    private func give(_ parts: [HostExchange.Part]) {
        for part in parts {
            switch part {
            case .whole(let response): self.answer(response)
            case .begin(let response): self.begin(response)
            case .events(let bytes): self.give(bytes)
            case .end:
                let isLast = self.endsWithConnection || (self.exchange.present?.isLast ?? true)
                if !self.endsWithConnection { self.connection.send(FrameBytes(copying: .lastChunk)) }
                self.finish(isLast: isLast)
            }
        }
    }

    private func begin(_ response: WebResponse) {
        guard let present = self.exchange.present else { return }
        let isLast = present.isLast || self.endsWithConnection
        let writer = ResponseWriter(to: present.head.message, present.head.page, isLast: isLast)
        let framing: ResponseWriter.Framing = self.endsWithConnection ? .untilClose : .chunks
        self.connection.send(self.bytes(of: response, framing, by: writer))
        self.progressed()
    }

    /// Whether a stream ends with the connection only: HTTP/1.0 has no chunks.
    private var endsWithConnection: Bool { self.exchange.present?.head.message.version != .http1_1 }

    /// Writes events of the stream under way.
    private func give(_ events: SplitText) {
        self.connection.send(FrameBytes(self.endsWithConnection ? events : .chunk(events)))
    }

    /// A message came that answers no request: the reason why the connection ends.
    private func received(unasked message: ServerMessage) {
        if case .refused(nil, let refusal) = message { self.ends(because: refusal) }
    }

    /// The connection ends for a reason, which the client gets if it waits for an answer.
    private func ends(because refusal: Refusal) {
        self.takeAllLate()
        if let parts = self.exchange.answer({ $0.failed(refusal) }) {
            self.exchange.present?.isLast = true
            return self.give(parts)
        }
        guard self.exchange.isOwed else { return }
        self.answer(WebResponse(WebProblem(refusal)), to: self.exchange.interrupt())
    }
}

// MARK: Time

extension HTTPConversation {
    /// The awaited step of the client or the daemon has come, or a part of it.
    func progressed() {
        self.patience.progressed(at: self.connection.loop.now)
    }

    /// Ends a connection that keeps the daemon waiting, and keeps streams alive; called about once a second.
    func ticked(at now: UInt64) {
        guard !self.connection.readsOn else { return self.patience.progressed(at: now) }
        switch self.patience.ticked(at: now, awaiting: self.awaited) {
        case .nothing: break
        case .comment: self.give(.comment)
        case .refuse: self.connection.end(because: WireError(.helloFirst, "no whole request came in time"))
        case .end:
            self.connection.note("idle")
            self.connection.end()
        case .close(let isSilent):
            if isSilent { self.connection.note("silent") }
            self.connection.close()
        }
    }

    private var awaited: HTTPPatienceStateMachine.Awaited {
        if !self.hasAnswered { return .reading }
        if self.connection.closing.isEnded { return .farewell }
        return self.exchange.awaited(isStranger: !self.connection.isWelcomed)
    }
}
