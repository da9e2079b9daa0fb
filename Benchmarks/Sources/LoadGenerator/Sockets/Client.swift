/// One client of a server: its connection and, with the daemon, its binding.
final class Client {
    let connection: Connection
    var handshake: HandshakeStateMachine
    /// What the daemon told of the binding; with the relay, where nothing is bound, terminal 1 and no sends.
    var binding = HandshakeStateMachine.Binding(terminal: 1, sends: 0)

    init(_ connection: Connection, binds: Bool) {
        self.connection = connection
        self.handshake = HandshakeStateMachine(binds: binds)
    }

    /// Answers a `ping`; any other message must not have come.
    func expectPing(_ message: Span<UInt8>) throws {
        guard message.field("op", is: "ping") else { throw ProtocolError.unexpected(message) }
        try self.connection.send(ClientMessage.pong.frame)
    }
}
