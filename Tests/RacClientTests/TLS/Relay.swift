import NIOCore
import NIOPosix
import RacClient
import RacTesting
import Synchronization

/// Stands between clients and a daemon, and keeps each byte that passes.
///
/// Guards: a lock guards the bytes.
final class Relay: Sendable {
    /// The parts in which bytes are passed on.
    enum Parts {
        case asTheyCome
        case singleBytes
        /// None: the first bytes end the connection.
        case none
    }

    private let bytes: KeptBytes
    private let listener: any NIOCore.Channel

    /// The address for clients.
    let port: Int

    private init(to port: Int, _ parts: Parts) async throws {
        let bytes = KeptBytes()
        self.bytes = bytes
        self.listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).connect(host: "127.0.0.1", port: port).flatMapThrowing {
                    try client.pipeline.syncOperations.addHandler(Passing(to: $0, parts, bytes))
                    try $0.pipeline.syncOperations.addHandler(Passing(to: client, parts, bytes))
                    client.setOption(.autoRead, value: true).whenComplete { _ in }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        guard let port = self.listener.localAddress?.port else { throw Surprise(expected: "a port") }
        self.port = port
    }

    /// Runs a test with a relay that ends with it.
    static func with(to port: Int, _ parts: Parts = .asTheyCome, _ test: (Relay) async throws -> Void) async throws {
        let relay = try await Relay(to: port, parts)
        do {
            try await test(relay)
        } catch {
            try? await relay.listener.close()
            throw error
        }
        try await relay.listener.close()
    }

    var address: DaemonAddress { .tls(host: "localhost", port: self.port) }

    /// The bytes that have passed, of all clients and both directions.
    var count: Int { self.bytes.all.withLock { $0.count } }

    /// Whether a text has passed where a reader of the bytes sees it.
    func saw(_ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return self.bytes.all.withLock { bytes in
            guard let first = wanted.first else { return false }
            var rest = bytes[...]
            while let start = rest.firstIndex(of: first) {
                if rest[start...].starts(with: wanted) { return true }
                rest = rest[(start + 1)...]
            }
            return false
        }
    }
}

/// The bytes that have passed a relay.
private final class KeptBytes: Sendable {
    let all = Mutex<[UInt8]>([])
}

/// Passes the bytes of one side to the other.
private final class Passing: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any NIOCore.Channel
    private let parts: Relay.Parts
    private let bytes: KeptBytes

    init(to other: any NIOCore.Channel, _ parts: Relay.Parts, _ bytes: KeptBytes) {
        self.other = other
        self.parts = parts
        self.bytes = bytes
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = self.unwrapInboundIn(data)
        self.bytes.all.withLock { $0.append(contentsOf: bytes.readableBytesView) }
        switch self.parts {
        case .asTheyCome: self.other.writeAndFlush(bytes, promise: nil)
        case .none: context.close(promise: nil)
        case .singleBytes: for byte in bytes.readableBytesView { self.passAlone(byte) }
        }
    }

    /// Passes one byte in a packet of its own, which a later turn of the loop sends.
    private func passAlone(_ byte: UInt8) {
        self.other.eventLoop.execute { [other] in other.writeAndFlush(ByteBuffer(bytes: [byte]), promise: nil) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        self.other.eventLoop.execute { [other] in other.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}

@available(*, unavailable)
extension Passing: Sendable {}
