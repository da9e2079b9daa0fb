import NIOCore
import RacHost
import RacProtocol
import RacServer

/// The daemon's side of one connection: frames out of bytes, the handshake, the heartbeat.
final class ServedConnection {
    let link: Link
    var hosted: HostedConnection?
    var heartbeat: HeartbeatStateMachine
    /// Whether the daemon says nothing more and waits for the client to close.
    var isEnded = false
    private var reader = FrameReader(maximumBytes: HandshakeStateMachine.maximumFrameBytes, inflates: false)
    private var handshake = HandshakeStateMachine()
    private var unread = ByteBuffer()

    enum Incoming {
        case hello(Hello)
        case message(ClientMessage)
    }

    init(_ link: Link, helloTimeout: UInt64, at uptime: UInt64) {
        self.link = link
        self.heartbeat = HeartbeatStateMachine(interval: helloTimeout, at: uptime)
    }

    var isWelcomed: Bool { self.handshake.isWelcomed }

    /// Whether hello and welcome agreed on compressed frames.
    var isDeflated: Bool { self.reader.inflates }

    func welcomed(_ hello: Hello, maximumFrameBytes: Int) {
        self.reader = FrameReader(maximumBytes: maximumFrameBytes, inflates: hello.deflate)
    }

    func received(_ bytes: ByteBuffer) {
        self.unread.writeImmutableBuffer(bytes)
    }

    /// The next message of the client, if it is there whole.
    func next() throws(Violation) -> Incoming? {
        do {
            guard let payload = try self.reader.nextPayload(in: &self.unread) else { return nil }
            let message = try ClientMessage(payload: payload)
            switch self.handshake.received(message) {
            case .pass: return .message(message)
            case .welcome(let hello): return .hello(hello)
            case .end(let error): throw Violation(.rest, "the handshake failed: \(error.message)")
            }
        } catch let violation as Violation {
            throw violation
        } catch {
            throw Violation(.rest, "the daemon could not read a message: \(error)")
        }
    }
}
