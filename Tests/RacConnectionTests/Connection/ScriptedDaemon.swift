import NIOCore
import NIOEmbedded
import RacConnection
import RacProtocol
import RacTesting

/// The daemon's end of a connection, played by a test, frame by frame; time passes when the test says so.
actor ScriptedDaemon {
    nonisolated let channel = NIOAsyncTestingChannel()
    nonisolated let connection: DaemonConnection
    private(set) var hello: Hello?
    private let reader = FrameReader(maximumBytes: 1 << 26, inflates: false)
    private var received = ByteBuffer()

    /// Connects and hears hello.
    init(_ configuration: ConnectionConfiguration = ConnectionConfiguration()) async throws {
        let channel = self.channel
        self.connection = try await channel.testingEventLoop.executeInContext {
            try DaemonConnection(on: channel, to: .local, configuration: configuration)
        }
        try await channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 7220)).get()
        guard case .hello(let hello) = try await self.heard() else { throw Surprise(expected: "hello") }
        self.hello = hello
    }

    /// A connection that has been welcomed.
    static func welcoming(
        _ configuration: ConnectionConfiguration = ConnectionConfiguration(),
        _ welcome: Welcome = .sample
    ) async throws -> ScriptedDaemon {
        let daemon = try await ScriptedDaemon(configuration)
        try await daemon.say(.welcome(welcome))
        try await daemon.connection.welcomed()
        return daemon
    }

    /// The next message from the client.
    func heard() async throws -> ClientMessage {
        while true {
            if let payload = try self.reader.nextPayload(in: &self.received) {
                return try ClientMessage(payload: payload)
            }
            var bytes = try await self.channel.waitForOutboundWrite(as: ByteBuffer.self)
            self.received.writeBuffer(&bytes)
        }
    }

    /// The next message from the client, which must be a request.
    func heardRequest() async throws -> (id: RequestID, request: Request) {
        guard case .request(let id, let request) = try await self.heard() else { throw Surprise(expected: "a request") }
        return (id, request)
    }

    /// The next message from the client, which must go into a terminal.
    func heardSend() async throws -> Send {
        guard case .send(let send) = try await self.heard() else { throw Surprise(expected: "a send") }
        return send
    }

    /// Whether the client has said something that was not heard yet.
    func hasMore() async throws -> Bool {
        await self.channel.testingEventLoop.run()
        if let bytes = try await self.channel.readOutbound(as: ByteBuffer.self) {
            self.received.writeImmutableBuffer(bytes)
        }
        return self.received.readableBytes > 0
    }

    /// Says all of this in one read of the client's.
    func say(_ messages: ServerMessage...) async throws {
        var bytes = ByteBuffer()
        for message in messages { message.write(to: &bytes) }
        try await self.sayBytes(bytes)
    }

    func sayBytes(_ bytes: ByteBuffer) async throws {
        try await self.channel.writeInbound(bytes)
        await self.channel.testingEventLoop.run()
    }

    func pass(_ time: TimeAmount) async {
        await self.channel.testingEventLoop.advanceTime(by: time)
    }

    func hangUp() async throws {
        try await self.channel.close().get()
    }

    /// Answers the client's bind.
    func bind(_ bound: Bound = .sample()) async throws -> ChannelBinding {
        async let binding = self.connection.bind(Bind(channel: ChannelName("a")))
        let (id, _) = try await self.heardRequest()
        try await self.say(.reply(id, .bound(bound)))
        return try await binding
    }
}
