import NIOCore
import NIOPosix

/// The yardstick of the ping-pong: a plain TCP echo server through SwiftNIO, on one event loop.
///
/// It does what every such server does: writes back what it reads and flushes when the loop has read all there was.
@main
enum EchoServer {
    static func main() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(EchoHandler())
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        guard let port = server.localAddress?.port else { return }
        // Standard output is a pipe here, which print(_:) alone would leave waiting in a buffer.
        Output.write("nio-echo ready tcp=127.0.0.1:\(port)\n")
        try await server.closeFuture.get()
    }
}
