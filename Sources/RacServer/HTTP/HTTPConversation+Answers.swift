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
        guard let present else { return }
        self.answer(response, to: present, isLast: present.isLast || self.isInputOver)
    }

    /// The log shows a request that was refused.
    private func reported(_ problem: WebProblem) {
        self.connection.loop.report("a request was refused", problem.refusal.error, of: self.connection)
    }

    /// Refuses a request; a client with an unknown token learns of it after a pause, so that guessing is slow.
    func answer(_ problem: WebProblem, to incoming: Incoming, isLast: Bool) {
        self.present = incoming
        // Neither the page nor its user sees the answer to a WebSocket, so the log has the reason.
        if [.forbidden, .misdirectedRequest].contains(problem.status) { self.reported(problem) }
        let isGuess = problem.status == .unauthorized && (try? incoming.request.token()) ?? nil != nil
        guard isGuess || problem.status == .unauthorized && incoming.bodyBytes > 0 else {
            return self.answer(WebResponse(problem), to: incoming, isLast: isLast)
        }
        self.work = .apart
        self.reported(problem)
        let pause = ConnectionHandler.refusalPause
        self.connection.loop.loop.assumeIsolated().scheduleTask(in: pause) { [weak self] in
            guard let self, case .apart = self.work, self.connection.closing.isOpen else { return }
            self.answer(WebResponse(problem), to: incoming, isLast: true)
        }
    }

    private func answer(_ response: WebResponse, to incoming: Incoming, isLast: Bool) {
        let writer = ResponseWriter(to: incoming.head.message, incoming.head.page, isLast: isLast)
        let bytes = self.bytes(of: response, .length, by: writer)
        self.connection.loop.spent(Self.units(of: bytes.count), by: self.connection)
        self.connection.send(bytes)
        self.finish(isLast: isLast)
    }

    /// The answer has been given.
    private func finish(isLast: Bool) {
        self.work = .none
        self.present = nil
        self.endsWithConnection = false
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
        guard case .host(let exchange) = self.work, exchange.isStreaming, output.reply == nil else { return true }
        var isKnown = true
        output.forEach { isKnown = isKnown && self.connection.loop.sharedEvents.knows($0) }
        return !isKnown
    }

    private func take(_ output: Outgoing) {
        if self.isLong(output) { self.connection.loop.spent(Self.units(of: output.count), by: self.connection) }
        if let reply = output.reply { self.received(reply) }
        output.forEach { self.read($0) }
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
        if case .host(let exchange) = self.work, exchange.isOfEvents { self.late.removeAll() }
        while let output = self.late.popFirst() { self.take(output) }
    }

    func refuse(_ error: WireError) {
        self.ends(because: Refusal(error))
    }

    func ends(because code: String) {}

    private func received(_ reply: TakenReply) {
        guard case .host(let exchange) = self.work else { return }
        switch reply {
        case .got(let got): self.answer(exchange.answer(got))
        case .revision(let revision): self.answer(exchange.answer(revision))
        }
    }

    private func read(_ frames: FrameBytes) {
        if case .host(let exchange) = self.work, exchange.isStreaming, !self.endsWithConnection,
            let events = self.connection.loop.sharedEvents.events(frames)
        {
            return self.connection.send(events)
        }
        for payload in frames.payloads { self.received(payload) }
    }

    private func received(_ payload: SplitText) {
        guard case .host(var exchange) = self.work else { return self.received(unasked: payload.whole) }
        self.work = .apart
        let parts = exchange.received(payload)
        self.work = .host(exchange)
        self.give(parts)
    }

    private func give(_ parts: [HostExchange.Part]) {
        for part in parts {
            switch part {
            case .whole(let response): self.answer(response)
            case .begin(let response): self.begin(response)
            case .events(let bytes): self.give(bytes)
            case .end:
                let isLast = self.endsWithConnection || (self.present?.isLast ?? true)
                if !self.endsWithConnection { self.connection.send(FrameBytes(copying: .lastChunk)) }
                self.finish(isLast: isLast)
            }
        }
    }

    private func begin(_ response: WebResponse) {
        guard let present else { return }
        self.endsWithConnection = present.head.message.version != .http1_1
        let writer = ResponseWriter(
            to: present.head.message,
            present.head.page,
            isLast: present.isLast || self.endsWithConnection
        )
        let framing: ResponseWriter.Framing = self.endsWithConnection ? .untilClose : .chunks
        self.connection.send(self.bytes(of: response, framing, by: writer))
        self.progressed()
    }

    /// Writes events of the stream under way.
    private func give(_ events: SplitText) {
        self.connection.send(FrameBytes(self.endsWithConnection ? events : .chunk(events)))
    }

    /// A message came that answers no request: the reason why the connection ends.
    private func received(unasked payload: ByteBuffer) {
        guard case .refused(nil, let refusal)? = try? ServerMessage.read(payload: payload, request: { _ in nil }) else {
            return
        }
        self.ends(because: refusal)
    }

    /// The connection ends for a reason, which the client gets if it waits for an answer.
    private func ends(because refusal: Refusal) {
        self.takeAllLate()
        if case .host(var exchange) = self.work {
            let parts = exchange.failed(refusal)
            self.present?.isLast = true
            return self.give(parts)
        }
        guard self.isOwed else { return }
        let waiting = self.present ?? self.incoming ?? Incoming(Self.noHead)
        self.answer(WebResponse(WebProblem(refusal)), to: waiting, isLast: true)
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
        switch self.work {
        case .host(let exchange): return exchange.isStreaming ? .event : .daemon
        case .reading, .apart: return .daemon
        case .none: break
        }
        if let incoming { return self.isOfStranger(incoming) ? .bodyOfStranger : .body }
        if self.isInHead { return .head }
        return self.isBusy ? .daemon : .request
    }

    /// Whether a request is that of a client which has not shown who it is, as one to sign in.
    func isOfStranger(_ incoming: Incoming) -> Bool {
        !self.connection.isWelcomed && incoming.head.maximumBody <= Self.maximumSignInBytes
    }
}
