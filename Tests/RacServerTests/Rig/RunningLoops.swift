import Logging
import NIOCore
import NIOPosix

@testable import RacServer

/// The loops of a daemon, whose transport and readers are the test's.
enum RunningLoops {
    /// Serves on a free port.
    static func serving(
        readers: NIOThreadPool = .singleton,
        transport: @escaping Listeners.Transport = { _ in [] },
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ test: (ListenAddress, Loops) async throws -> Void
    ) async throws {
        try await Self.listening(readers: readers, transport: transport, change) { addresses, loops in
            try await test(addresses[0].places[0], loops)
        }
    }

    /// Serves on an address whose name the test resolves.
    static func listening(
        at address: ListenAddress = .tcp(host: "127.0.0.1", port: 0),
        readers: NIOThreadPool = .singleton,
        resolve: (String, Int) -> [SocketAddress] = HostAddresses.resolve,
        transport: @escaping Listeners.Transport = { _ in [] },
        _ change: (inout ServerConfiguration) -> Void = { _ in },
        _ test: ([ListeningAddress], Loops) async throws -> Void
    ) async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: Threads.count)
        var configuration = ServerConfiguration(name: "racd/test", storage: .memory)
        configuration.heartbeat = 600_000
        change(&configuration)
        let logger = Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() })
        let loops = try await Loops(
            configuration,
            Admission.Room(connections: configuration.maximumConnections, refused: Admission.refusedCount),
            .memory(),
            on: Array(group.makeIterator()),
            readers: readers,
            logger: logger
        )
        let listeners = try await Listeners([address], loops, group, resolve: resolve, transport: transport)
        try await test(listeners.addresses, loops)
        await listeners.close()
        try await loops.stopListening()
        try await loops.sayGoodbye()
        try await group.shutdownGracefully()
    }
}
