import NIOCore
import RacProtocol
import RacWeb

/// The dialects of one loop's clients: frames, and HTTP, which may lead to a WebSocket.
///
/// Isolation: the loop's.
final class Dialects: ConversationFactory {
    /// The part of HTTP that connections have in common; nil if the daemon speaks no HTTP.
    private let web: LoopWeb?

    init(_ configuration: ServerConfiguration, _ sessions: WebSessions) {
        self.web = configuration.web.map { LoopWeb($0, configuration.addresses, sessions) }
    }

    var mayMeetBrowsers: Bool { self.web != nil }

    func begin(with bytes: ByteBuffer, on connection: ConnectionHandler) throws(WireError) -> any Conversation {
        let first = bytes.readableBytesView.first
        if first == TLSRecord.handshake {
            throw WireError(
                .badFrame,
                "the client began TLS, which this address does not speak: connect with rac://"
            )
        }
        if ProxyProtocol.begins(bytes) { throw WireError(.badFrame, ProxyProtocol.help) }
        if let web, let first, Self.isHTTP(first) { return HTTPConversation(connection, web) }
        return FrameConversation(connection)
    }

    /// Whether a first byte begins a method of HTTP; a frame with it would be too long for any hello.
    private static func isHTTP(_ first: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(first | 0x20)
    }
}

@available(*, unavailable)
extension Dialects: Sendable {}
