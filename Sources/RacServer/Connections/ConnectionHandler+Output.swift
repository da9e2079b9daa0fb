import NIOCore
import RacHost
import RacProtocol

extension ConnectionHandler {
    /// Writes what the host has for the connection, in one go.
    func writeOutput(of hosted: HostedConnection) {
        guard !self.closing.isEnded else { return }
        let output = self.shell.host.takeOutput(of: hosted)
        for frames in output { self.write(frames) }
        self.countHeldBytes()
        guard !output.isEmpty else { return }
        if self.isHeld { self.shell.resumes(self) }
        if self.closing.isDraining { self.shell.drains(self) }
    }

    func write(_ frames: FrameBytes) {
        self.outlet?.write(self.reader.inflates ? self.shell.deflated.deflated(frames) : frames)
    }

    func ping() {
        self.write(FrameBytes(.ping))
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
        guard self.closing.ended() else { return }
        self.stopListening()
        self.heartbeat = HeartbeatStateMachine(interval: Self.lingerTime, at: self.shell.now.uptime)
        self.outlet?.end { self.closing.written() }
    }

    /// Tells the shell what the daemon keeps for this connection.
    func countHeldBytes() {
        // Of one that must go already nothing more can be had.
        guard !self.isLetGo else { return }
        self.shell.holds(self, bytes: self.unread.readableBytes + self.unreadAnswerBytes)
    }

    /// Ends the connection because the daemon keeps too much, and for this one it has kept something for the longest time.
    func letGo() {
        self.isLetGo = true
        self.end(because: WireError(.limit, "the daemon keeps too much for clients that do not finish or do not read"))
        // Somebody who does not read would keep it.
        if self.unreadAnswerBytes > 0 { self.close() }
    }

    private var unreadAnswerBytes: Int { (self.hosted?.outgoingBytes ?? 0) + (self.outlet?.waitingBytes ?? 0) }

    /// Ends the connection at once.
    func close() {
        self.context?.close(promise: nil)
    }
}
