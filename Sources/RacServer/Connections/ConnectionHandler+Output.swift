import NIOCore
import RacHost
import RacProtocol

extension ConnectionHandler {
    /// Writes what the host has for the connection, in one go.
    func writeOutput(of hosted: HostedConnection) {
        guard !self.closing.isEnded, let context = self.context else { return }
        let output = self.shell.host.takeOutput(of: hosted)
        guard !output.isEmpty else { return }
        for frames in output { self.write(frames) }
        context.flush()
        if self.isHeld { self.shell.resumes(self) }
        if self.closing.isDraining { self.shell.drains(self) }
    }

    func write(_ frames: FrameBytes) {
        guard let context = self.context else { return }
        let frames = self.reader.inflates ? self.shell.deflated.deflated(frames) : frames
        context.write(self.wrapOutboundOut(frames.bytes), promise: nil)
    }

    func ping() {
        self.write(FrameBytes(.ping))
        self.context?.flush()
    }

    /// Ends the connection when the client has what is due, and tells it why.
    func end(because error: WireError) {
        guard self.closing.failed(error) else { return }
        self.stopListening()
        self.shell.drains(self)
    }

    /// A tick has ended: if nothing is due any more to a client that has said all, the connection ends.
    func endIfDrained() {
        guard !self.isHeld, !(self.hosted?.isOwed ?? false) else { return }
        switch self.closing.drained() {
        case .nothing: break
        case .end(let error):
            if let error { self.write(FrameBytes(.refused(nil, Refusal(error)))) }
            self.end()
        }
    }

    /// Ends the connection after what was written.
    ///
    /// Half-close first: a full close drops what the kernel has not sent yet, the `refused` among it.
    func end() {
        guard self.closing.ended(), let context = self.context else { return }
        self.stopListening()
        self.heartbeat = HeartbeatStateMachine(interval: Self.lingerTime, at: self.shell.now.uptime)
        let written = context.eventLoop.makePromise(of: Void.self)
        written.futureResult.assumeIsolated().whenComplete { _ in
            self.closing.written()
            self.context?.close(mode: .output, promise: nil)
        }
        context.writeAndFlush(self.wrapOutboundOut(ByteBuffer()), promise: written)
    }

    /// Ends the connection at once.
    func close() {
        self.context?.close(promise: nil)
    }
}
