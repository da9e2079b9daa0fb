import DequeModule
import NIOCore
import RacHost
import RacProtocol
import RacServer

/// The daemon's side of one connection: frames out of bytes, the handshake, the heartbeat, and what waits.
final class ServedConnection {
    let link: Link
    /// Nil before the welcome.
    var peer: Peer?
    var heartbeat: HeartbeatStateMachine
    /// Whether the daemon says nothing more and waits for the client to close.
    private(set) var isEnded = false
    private let bounds: Bounds
    private var input: FrameInput
    private var handshake = HandshakeStateMachine()
    /// What was written and the host was not told of.
    private var receipt: FlowReceipt
    /// What the client said and the host has not taken, as it was said.
    private var untaken: Deque<ClientMessage> = []

    enum Incoming {
        case hello(Hello)
        /// With the length of its payload.
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
        // The host has to hear of less than what makes requests wait, or they waited for ever.
        self.receipt = FlowReceipt(threshold: min(64 << 10, bounds.pauseBytes / 4))
    }

    var isWelcomed: Bool { self.handshake.isWelcomed }

    /// Whether hello and welcome agreed on compressed frames.
    var isDeflated: Bool { self.input.inflates }

    func welcomed(_ hello: Hello, maximumFrameBytes: Int) {
        self.input.welcomed(maximumBytes: maximumFrameBytes, inflates: hello.deflate)
    }

    /// Nothing is said any more, and what the client said and waits is dropped.
    func ends() {
        self.isEnded = true
        self.dismiss()
    }

    func dismiss() {
        _ = self.input.dismiss()
        self.untaken = []
        self.peer?.dismiss()
    }
}

// MARK: What the client says

extension ServedConnection {
    func received(_ bytes: ByteBuffer) {
        self.input.received(bytes)
    }

    /// The next message of the client, if it is there whole and the client is not too far ahead.
    func next() throws(Violation) -> Incoming? {
        do {
            guard let payload = try self.nextPayload() else { return nil }
            let message = try ClientMessage(payload: payload)
            switch self.handshake.received(message) {
            case .pass: return .message(message, payload.readableBytes)
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
        switch try self.input.next() {
        case .nothing: nil
        case .payload(let payload): payload
        case .compressed: try self.input.inflate(atMost: .max).payload
        }
    }

    /// A message is on its way to the host.
    func passes(_ message: ClientMessage, _ bytes: Int) {
        self.input.passed(bytes)
        self.untaken.append(message)
    }

    /// The host has taken what was said first of all that it had not.
    func taken() -> ClientMessage? { self.untaken.popFirst() }

    /// The host has told that it took so many bytes.
    func took(_ bytes: Int) {
        if self.input.taken(bytes) { self.input.readOn() }
    }
}

// MARK: What the client reads

extension ServedConnection {
    /// So much was written; tells how much the host is to be told of now.
    func wrote(_ bytes: Int) -> Int? { self.receipt.took(bytes) }

    /// While more waits for a client than may, nothing that it says is taken.
    func checkMayTake() throws(Violation) {
        guard let bytes = self.peer?.hosted.outgoingBytes else { return }
        try hold(.slowReaders, bytes <= self.bounds.pauseBytes) {
            "\(bytes) bytes wait for \(self.link.client.clientName), and what it says is taken all the same"
        }
    }
}
