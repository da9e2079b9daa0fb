import Expectations
import Foundation
import NIOCore
import NIOPosix
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

/// Says welcome to each client, answers pings, answers every request with an empty reply, and hangs up at bye.
private final class SmallDaemon: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let reader = FrameReader(maximumBytes: 1 << 20, inflates: false)
    private var received = ByteBuffer()

    static func listen(on address: SocketAddress) async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try channel.pipeline.syncOperations.addHandler(SmallDaemon()) }
            }
            .bind(to: address).get()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        self.received.writeImmutableBuffer(self.unwrapInboundIn(data))
        while let payload = try? self.reader.nextPayload(in: &self.received) {
            switch try? ClientMessage(payload: payload) {
            case .hello: self.say(.welcome(.sample), context)
            case .request(let id, _): self.say(.reply(id, .done), context)
            case .ping: self.say(.pong, context)
            case .bye, .send, .progress, .cancel, .enabled, .pong, nil: context.close(promise: nil)
            }
        }
    }

    private func say(_ message: ServerMessage, _ context: ChannelHandlerContext) {
        var bytes = ByteBuffer()
        message.write(to: &bytes)
        context.writeAndFlush(NIOAny(bytes), promise: nil)
    }
}

@available(*, unavailable)
extension SmallDaemon: Sendable {}

@Suite struct OpeningTests {
    private static let loopback = Result { try SocketAddress(ipAddress: "127.0.0.1", port: 0) }

    @Test("A connection opens over TCP, asks, and closes")
    func tcp() async throws {
        let listener = try await SmallDaemon.listen(on: Self.loopback.get())
        let port = try #require(listener.localAddress?.port)
        let connection = try await DaemonConnection.open(to: .tcp(host: "127.0.0.1", port: port))
        try await connection.ping()
        await connection.close()
        try await listener.close()
    }

    @Test("A connection opens over a Unix-domain socket, asks, and closes")
    func unix() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "rac-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appending(path: "s").path
        let listener = try await SmallDaemon.listen(on: SocketAddress(unixDomainSocketPath: path))
        let connection = try await DaemonConnection.open(to: .unix(path: path))
        try await connection.ping()
        await connection.close()
        try await listener.close()
    }

    @Test("An address where nobody listens is reported with the reason and the remedy")
    func nobody() async throws {
        // No ephemeral port, so that no other test listens there in the meantime.
        let port = 1
        let error = await #expect(throws: ClientError.self) {
            try await DaemonConnection.open(to: .tcp(host: "127.0.0.1", port: port))
        }
        expect(error?.code == .unreachable)
        expect(
            error?.message
                == "cannot reach racd at 127.0.0.1:\(port): Connection refused: is `racd serve` running?"
        )
    }

    @Test("A missing socket is reported, and one whose path is too long is no address")
    func noSocket() async throws {
        let error = await #expect(throws: ClientError.self) {
            try await DaemonConnection.open(to: .unix(path: "/no/such"))
        }
        expect(error?.code == .unreachable)
        expect(error?.message.contains("No such file or directory") == true)
        let path = "/" + String(repeating: "a", count: 200)
        let tooLong = await #expect(throws: ClientError.self) { try await DaemonConnection.open(to: .unix(path: path)) }
        expect(tooLong?.code == .invalidURL)
    }

    @Test("A listener that stays silent ends the attempt with a timeout")
    func silentListener() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(to: Self.loopback.get()).get()
        let port = try #require(listener.localAddress?.port)
        var configuration = ConnectionConfiguration()
        configuration.connectTimeout = .milliseconds(50)
        let error = await #expect(throws: ClientError.self) {
            try await DaemonConnection.open(to: .tcp(host: "127.0.0.1", port: port), configuration: configuration)
        }
        expect(error?.code == .timedOut)
        try await listener.close()
    }
}
