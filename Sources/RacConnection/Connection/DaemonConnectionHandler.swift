package import NIOCore
package import RacProtocol

/// The thin shell of a connection: frames, timers and the channel's events go to the machines, their orders to the channel.
///
/// All state is used on the channel's event loop.
package final class DaemonConnectionHandler: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    package let dispatcher: Dispatcher
    private let address: DaemonAddress
    private let configuration: ConnectionConfiguration
    private let outbox: Outbox
    private var machine: ConnectionStateMachine
    private var reader: FrameReader
    private var received = ByteBuffer()
    private var alarm: (at: NIODeadline, task: Scheduled<Void>)?
    private var context: ChannelHandlerContext?
    package private(set) var welcome: Welcome?
    /// Called once, when the daemon has said welcome.
    package var onReady: (Welcome) -> Void = { _ in }
    /// Called once, when the connection has ended.
    package var onEnd: (ClientError) -> Void = { _ in }
    /// Tasks that wait for the welcome.
    private var ready = WaitingLine()
    /// Tasks that wait for the connection's end.
    private var gone = WaitingLine()

    package init(address: DaemonAddress, configuration: ConnectionConfiguration, eventLoop: any EventLoop) {
        self.address = address
        self.configuration = configuration
        self.outbox = Outbox(limits: configuration.limits)
        self.dispatcher = Dispatcher(outbox: self.outbox, eventLoop: eventLoop, configuration: configuration)
        self.machine = ConnectionStateMachine(
            welcomeTimeout: TimeAmount(configuration.connectTimeout),
            byeTimeout: TimeAmount(configuration.byeTimeout)
        )
        self.reader = FrameReader(maximumBytes: configuration.limits.greetingBytes, inflates: false)
    }

    var hasRoom: Bool { self.outbox.hasRoom }

    private func end(_ fault: ConnectionFault) {
        let error = fault.known(toHaveShown: self.configuration).clientError(at: self.address)
        self.dispatcher.finish(error)
        self.ready.release(.failure(error))
        self.alarm?.task.cancel()
        self.context?.close(promise: nil)
        self.onEnd(error)
    }
}

@available(*, unavailable)
extension DaemonConnectionHandler: Sendable {}

// MARK: Events of the channel

extension DaemonConnectionHandler {
    package func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        self.outbox.onRoom = { [dispatcher] in dispatcher.madeRoom() }
        self.dispatcher.onDue = { [weak self] in self?.wake(at: $0) }
        if context.channel.isActive { self.opened(context) }
    }

    package func handlerRemoved(context: ChannelHandlerContext) {
        guard context === self.context else { return }
        self.context = nil
        self.outbox.close()
        self.outbox.onRoom = {}
        self.alarm?.task.cancel()
        self.gone.release()
    }

    package func channelActive(context: ChannelHandlerContext) {
        self.opened(context)
        context.fireChannelActive()
    }

    package func channelInactive(context: ChannelHandlerContext) {
        if let fault = self.machine.closed() { self.end(fault) }
        self.gone.release()
        context.fireChannelInactive()
    }

    package func channelWritabilityChanged(context: ChannelHandlerContext) {
        if self.outbox.hasRoom { self.dispatcher.madeRoom() }
        context.fireChannelWritabilityChanged()
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if let tls = TLSFault(error, context.channel), let fault = self.machine.failed(tls) { self.end(fault) }
        context.close(promise: nil)
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = self.unwrapInboundIn(data)
        if self.received.readableBytes == 0 { self.received = bytes } else { self.received.writeBuffer(&bytes) }
        self.machine.heard(at: context.eventLoop.now)
        if !self.machine.delivers, self.received.readableBytesView.first == TLSRecord.alert {
            if let fault = self.machine.gotAlert() { self.end(fault) }
            return
        }
        do {
            repeat { self.takeValues() } while try self.takeFrame(context)
        } catch {
            self.broke(error.wireError)
        }
        if self.received.readableBytes == 0 { self.received = ByteBuffer() }
    }

    private func opened(_ context: ChannelHandlerContext) {
        // A host with several addresses is tried with a channel for each, and this is the one that stands.
        self.context = context
        self.outbox.open(context)
        let own = self.configuration
        if own.token != nil, !own.allowsClearTextToken,
            TokenExposure.isExposed(self.address, context.remoteAddress)
        {
            if let fault = self.machine.wouldExposeToken() { self.end(fault) }
            return
        }
        self.say(.hello(Hello(agent: own.agent, name: own.name, token: own.token?.secret, session: own.session)))
        self.wake(at: self.machine.opened(at: context.eventLoop.now))
    }

    /// Delivers the values in the daemon's own spelling that come first, read in place: a slice for each costs more.
    private func takeValues() {
        guard self.machine.delivers else { return }
        let received = self.received
        let bytes = received.readableBytesUInt8Span
        let maximumBytes = self.reader.maximumBytes
        var end = 0
        while let payload = FrameReader.plainPayload(in: bytes, at: end, maximumBytes: maximumBytes),
            let next = PlainNext(bytes.extracting(payload), of: received, at: payload.lowerBound)
        {
            end = payload.upperBound
            self.dispatcher.arrived(next.valuation, for: next.terminal)
        }
        self.received.moveReaderIndex(forwardBy: end)
    }

    /// Takes the next frame, whatever it says; returns whether it was there.
    private func takeFrame(_ context: ChannelHandlerContext) throws(FrameError) -> Bool {
        guard let payload = try self.reader.nextPayload(in: &self.received) else { return false }
        self.take(payload, context)
        return true
    }

    private func take(_ payload: ByteBuffer, _ context: ChannelHandlerContext) {
        let message: ServerMessage?
        do {
            message = try ServerMessage.read(payload: payload, request: self.dispatcher.request)
        } catch {
            return self.broke(error.error)
        }
        guard let message else { return }
        switch self.machine.received(message, at: context.eventLoop.now) {
        case .becomeReady(let welcome): self.becomeReady(welcome)
        case .deliver: self.dispatcher.received(message)
        case .answerPing: self.say(.pong)
        case .nothing: break
        case .end(let fault): self.end(fault)
        }
    }

    private func becomeReady(_ welcome: Welcome) {
        self.welcome = welcome
        self.dispatcher.epoch = welcome.epoch
        let maximumBytes = Int(clamping: welcome.maximumFrameBytes)
        self.outbox.maximumFrameBytes = maximumBytes
        self.reader.maximumBytes = self.configuration.limits.incomingFrameBytes(daemonTakes: maximumBytes)
        self.ready.release()
        self.ticked()
        self.onReady(welcome)
    }

    private func broke(_ error: WireError) {
        if let fault = self.machine.broke(error) { self.end(fault) }
    }

    /// The messages without content always fit.
    private func say(_ message: ClientMessage) {
        try? self.outbox.write(message)
    }
}

// MARK: Time

extension DaemonConnectionHandler {
    private func wake(at due: NIODeadline) {
        if let alarm = self.alarm, alarm.at <= due { return }
        self.alarm?.task.cancel()
        guard let eventLoop = self.context?.eventLoop else { return }
        let task = eventLoop.assumeIsolated().scheduleTask(deadline: due) {
            self.alarm = nil
            self.ticked()
        }
        self.alarm = (due, task)
    }

    private func ticked() {
        guard let now = self.context?.eventLoop.now else { return }
        self.dispatcher.expire(at: now, self.timedOut)
        if let due = self.dispatcher.nextDue { self.wake(at: due) }
        switch self.machine.ticked(at: now) {
        case .wait(let due): self.wake(at: due)
        case .ping(let due):
            self.say(.ping)
            self.wake(at: due)
        case .nothing: break
        case .end(let fault): self.end(fault)
        }
    }

    private var timedOut: ClientError {
        let time = TimeAmount(self.configuration.replyTimeout).text
        return ClientError(.timedOut, "no answer from racd at \(self.address) within \(time)")
    }
}

// MARK: What the program asks for

extension DaemonConnectionHandler {
    func whenReady(_ ticket: Ticket, _ continuation: WaitingLine.Continuation) {
        if let end = self.dispatcher.end {
            continuation.resume(returning: .failure(end))
        } else if self.welcome != nil {
            continuation.resume(returning: .success(()))
        } else {
            self.ready.join(ticket, continuation)
        }
    }

    func leave(_ ticket: Ticket, _ continuation: WaitingLine.Continuation) {
        guard self.context != nil else { return continuation.resume(returning: .success(())) }
        self.gone.join(ticket, continuation)
        self.leave()
    }

    /// Ends without a bye.
    func abandon(_ ticket: Ticket, _ continuation: WaitingLine.Continuation) {
        guard self.context != nil else { return continuation.resume(returning: .success(())) }
        self.gone.join(ticket, continuation)
        if let fault = self.machine.abandon() { self.end(fault) }
    }

    /// Says bye; the connection ends soon.
    package func leave() {
        guard let context = self.context else { return }
        switch self.machine.leave(at: context.eventLoop.now) {
        case .sayBye(let due):
            self.say(.bye)
            self.wake(at: due)
        case .end(let fault): self.end(fault)
        case .nothing: break
        }
    }

    func cancel(_ ticket: Ticket) {
        self.ready.cancel(ticket)
        self.gone.cancel(ticket)
        self.dispatcher.room.cancel(ticket)
    }
}
