package import RacProtocol

/// Decides which messages a connection may carry before and after the welcome.
///
/// Semantics: protocol.md, "Handshake".
package struct HandshakeStateMachine: Sendable {
    private enum State {
        case awaitingHello
        case welcomed
        /// The daemon does not accept the client: the connection ends.
        case refused
    }

    package enum OnReceived: Equatable {
        case welcome(Hello)
        /// The handshake is over: the host answers.
        case submit
        /// The connection ends after this refusal.
        case end(WireError)
    }

    /// The longest payload before the welcome, in bytes.
    package static let maximumFrameBytes = 64 << 10

    /// The longest name of a session, in bytes.
    static let maximumSessionBytes = Hello.sessionBytes.upperBound

    private var state = State.awaitingHello

    package init() {}

    package var isWelcomed: Bool { self.state == .welcomed }

    /// The rules do not accept the client that said hello.
    package mutating func refused() {
        self.state = .refused
    }

    package mutating func received(_ message: ClientMessage) -> OnReceived {
        guard self.state == .awaitingHello else { return .submit }
        guard case .hello(let hello) = message else {
            return .end(WireError(.helloFirst, "say hello first: {\"op\":\"hello\",\"version\":1}"))
        }
        guard hello.version == ProtocolVersion.current else {
            let ours = ProtocolVersion.current
            let what = "this daemon speaks protocol \(ours), the client \(hello.version): update the older one"
            return .end(WireError(.unsupportedVersion, what))
        }
        guard (1...Self.maximumSessionBytes).contains(hello.session?.utf8.count ?? 1) else {
            return .end(WireError(.badMessage, "a session's name has 1 to \(Self.maximumSessionBytes) bytes"))
        }
        self.state = .welcomed
        return .welcome(hello)
    }

    /// A frame came that is no valid message.
    package mutating func received(_ fault: MessageError) -> OnReceived {
        guard self.state == .awaitingHello else { return .submit }
        return .end(WireError(.helloFirst, "say hello first; this was no message: \(fault.error.message)"))
    }
}
