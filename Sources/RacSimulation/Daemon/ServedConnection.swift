import DequeModule
import NIOCore
import RacHost
import RacProtocol
import RacServer

/// The daemon's side of one connection: its frames, handshake, heartbeat and queued messages.
final class ServedConnection {
    let link: Link
    /// Nil before the welcome.
    var peer: Peer?
    var heartbeat: HeartbeatStateMachine
    /// Whether the daemon sends nothing more and waits for the client to close.
    private(set) var isEnded = false
    /// Whether the client's watch has reported everything once.
    private(set) var hasSynced = false
    private let bounds: Bounds
    private var input: FrameInput
    private var handshake = HandshakeStateMachine()
    /// Bytes written but not yet credited to the host.
    private var receipt: FlowReceipt
    /// The client's messages that the host has not taken, unaltered.
    private var untaken: Deque<ClientMessage> = []
    /// The turns that have passed while the first of them waited for nothing else.
    private var turnsPassed = 0

    enum Incoming {
        case hello(Hello)
        /// A message with the length of its payload.
        case message(ClientMessage, Int)
    }

    init(_ link: Link, _ bounds: Bounds, helloTimeout: UInt64, at uptime: UInt64) {
        self.link = link
        self.bounds = bounds
        self.heartbeat = HeartbeatStateMachine(interval: helloTimeout, at: uptime)
        self.input = FrameInput(
            maximumBytes: HandshakeStateMachine.maximumFrameBytes,
            aheadBytes: bounds.aheadBytes
        )
        // The host's credit must be below the bytes that pause requests, or they would wait for ever.
        self.receipt = FlowReceipt(threshold: min(64 << 10, bounds.pauseBytes / 4))
    }

    var isWelcomed: Bool { self.handshake.isWelcomed }

    /// Whether hello and welcome agreed on compressed frames.
    var isDeflated: Bool { self.input.inflates }

    func welcomed(_ hello: Hello, maximumFrameBytes: Int) {
        self.input.welcomed(maximumBytes: maximumFrameBytes, inflates: hello.deflate)
    }

    /// Ends the daemon's side and drops the queued messages.
    func ends() {
        self.isEnded = true
        self.dismiss()
    }

    func dismiss() {
        self.input.dismiss()
        self.untaken = []
        self.peer?.dismiss()
    }
}

// MARK: What the client says

extension ServedConnection {
    func received(_ bytes: ByteBuffer) {
        self.input.received(bytes)
    }

    /// The next whole message of the client, unless the client is too far ahead.
    func next() throws(Violation) -> Incoming? {
        do {
            guard let payload = try self.nextPayload() else { return nil }
            let message = try ClientMessage(payload: payload)
            switch self.handshake.received(message) {
            case .submit: return .message(message, payload.readableBytes)
            case .welcome(let hello): return .hello(hello)
            case .end(let error): throw Violation(.rest, "the handshake failed: \(error.message)")
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.rest, "the daemon could not read a message: \(error)")
        }
    }

    private func nextPayload() throws(FrameError) -> ByteBuffer? {
        self.input.begin(room: .max)
        switch try self.input.next() {
        case .nothing: return nil
        case .payload(let payload): return payload
        case .long:
            let payload = try self.input.takeLong()?.payload()
            return self.input.wasRead() ? payload : nil
        }
    }

    /// A message is on its way to the host.
    func passes(_ message: ClientMessage, _ bytes: Int) {
        self.input.passed(bytes)
        self.untaken.append(message)
    }

    /// The host has taken the oldest message that it had not; returns the message.
    func taken() -> ClientMessage? {
        self.turnsPassed = 0
        return self.untaken.popFirst()
    }

    /// A turn has ended; returns the number of turns for which the oldest message waits.
    func turnEnded() -> Int {
        self.turnsPassed = self.peer?.mayGoOn == true ? self.turnsPassed + 1 : 0
        return self.turnsPassed
    }

    /// The host has credited this many bytes.
    func took(_ bytes: Int) {
        if self.input.taken(bytes) { self.input.readOn() }
    }
}

// MARK: What the client reads

extension ServedConnection {
    /// The daemon wrote these frames.
    func said(_ frames: [Frame]) {
        if frames.contains(where: { if case .synced = $0.message { true } else { false } }) { self.hasSynced = true }
    }

    /// Bytes were written; returns the bytes to credit to the host now, if any.
    func wrote(_ bytes: Int) -> Int? { self.receipt.took(bytes) }

    /// While too many bytes wait for a client, none of its messages is taken.
    func checkMayTake() throws(Violation) {
        guard let bytes = self.peer?.hosted.outgoingBytes else { return }
        try hold(.slowReaders, bytes <= self.bounds.pauseBytes) {
            "\(bytes) bytes wait for \(self.link.client.clientName), and what it says is taken all the same"
        }
    }
}
