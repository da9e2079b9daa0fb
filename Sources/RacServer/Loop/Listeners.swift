import Glibc
import NIOCore
import NIOPosix

/// The sockets on which the daemon waits for clients.
struct Listeners: Sendable {
    /// Makes the handlers between the socket of a new connection to an address and its ``ConnectionHandler``.
    ///
    /// The first one stands at the socket. The address is that of the listener, as it was asked for.
    typealias Transport = @Sendable (ListenAddress) throws -> [any ChannelHandler]

    private let channels: [any Channel]

    /// The addresses in their order, with real ports.
    let addresses: [ListenAddress]

    /// Listens on all addresses, or on none if one fails.
    ///
    /// - Parameters:
    ///   - addresses: The addresses; port 0 takes a free one.
    ///   - loops: The loops that serve the connections.
    ///   - group: The group of these loops.
    ///   - rights: The rights of the Unix sockets among the addresses.
    ///   - transport: The handlers of a connection's transport; none for frames in plain bytes.
    /// - Throws: ``ServerError``: the reason for people.
    init(
        _ addresses: [ListenAddress],
        _ loops: Loops,
        _ group: MultiThreadedEventLoopGroup,
        rights: SocketRights = SocketRights(),
        transport: @escaping Transport = { _ in [] }
    ) async throws {
        var channels: [any Channel] = []
        do {
            for address in addresses {
                channels.append(try await Self.listen(at: address, loops, group, transport))
                if case .unix(let path) = address { try rights.apply(to: path) }
            }
        } catch {
            for channel in channels { try? await channel.close() }
            throw error
        }
        self.channels = channels
        self.addresses = zip(addresses, channels).map { address, channel in
            channel.localAddress?.port.map(address.with(port:)) ?? address
        }
    }

    func close() async {
        for channel in self.channels { try? await channel.close() }
    }

    /// The clients that a listener accepts between two looks at the room for them.
    private static let acceptedAtOnce: UInt = 4

    private static func listen(
        at address: ListenAddress,
        _ loops: Loops,
        _ group: MultiThreadedEventLoopGroup,
        _ transport: @escaping Transport
    ) async throws -> any Channel {
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 1024)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .serverChannelOption(.maxMessagesPerRead, value: Self.acceptedAtOnce)
            .serverChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptGate(loops.admission))
                }
            }
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let connections = loops.connections(of: channel.eventLoop) else { return }
                    try Self.configure(channel, of: address)
                    try connections.makeHandler().join(channel.pipeline.syncOperations, behind: transport(address))
                }
            }
        do {
            switch address {
            case .tcp(let host, let port), .tls(let host, let port), .either(let host, let port):
                return try await Self.keepsAlive(bootstrap).bind(host: host, port: port).get()
            case .unix(let path):
                guard path.utf8.count <= Self.longestPath else {
                    let help = "the socket path is too long (at most \(Self.longestPath) bytes)"
                    throw ServerError("cannot listen on unix:\(path): \(help)")
                }
                try await Self.checkFree(path, group)
                return try await bootstrap.bind(unixDomainSocketPath: path, cleanupExistingSocketFile: true).get()
            }
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError("cannot listen on \(address): \(Self.reason(error))")
        }
    }

    /// Has the system ask silent clients whether they are there, so that a caller of HTTP who vanishes is gone in two minutes.
    ///
    /// The connections inherit these options of the listener's socket.
    private static func keepsAlive(_ bootstrap: ServerBootstrap) -> ServerBootstrap {
        bootstrap
            .serverChannelOption(.socketOption(.so_keepalive), value: 1)
            .serverChannelOption(.tcpOption(.init(rawValue: TCP_KEEPIDLE)), value: 60)
            .serverChannelOption(.tcpOption(.init(rawValue: TCP_KEEPINTVL)), value: 15)
            .serverChannelOption(.tcpOption(.init(rawValue: TCP_KEEPCNT)), value: 4)
    }

    /// Sets the options of a new connection, at once: as options of the bootstrap each would take a future.
    private static func configure(_ channel: any Channel, of address: ListenAddress) throws {
        guard let options = channel.syncOptions else { return }
        try options.setOption(.allowRemoteHalfClosure, value: true)
        // A second read in one turn mostly finds nothing; bytes that it would find wait for the next turn.
        try options.setOption(.maxMessagesPerRead, value: 1)
        if address.hasTLS { try options.setOption(.recvAllocator, value: Self.readsOfTLS) }
        if case .unix = address { return }
        try options.setOption(.tcpOption(.tcp_nodelay), value: 1)
    }

    /// A handler of TLS keeps memory for the longest read that it has had: about one record of TLS.
    private static let readsOfTLS = AdaptiveRecvByteBufferAllocator(minimum: 64, initial: 2048, maximum: 16 << 10)

    /// Throws if a daemon answers on a socket file; a file without a listener is a leftover that may go.
    private static func checkFree(_ path: String, _ group: MultiThreadedEventLoopGroup) async throws {
        do {
            try await ClientBootstrap(group: group).connect(unixDomainSocketPath: path).get().close()
        } catch let error as IOError where [ENOENT, ECONNREFUSED].contains(error.errnoCode) {
            return
        } catch let error as IOError where error.errnoCode == EAGAIN {
            // A listener is there, but its backlog is full.
        }
        let help = "another program listens there; stop it or choose another path"
        throw ServerError("cannot listen on unix:\(path): \(help)")
    }

    /// The bytes that the system has for the path of a socket, without the zero behind it.
    private static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    private static func reason(_ error: any Error) -> String {
        switch (error as? IOError)?.errnoCode {
        case EADDRINUSE: "another program listens there; stop it or choose another address with --listen"
        case EACCES, EPERM: "that is not permitted; choose a port above 1023 or a folder that can be written"
        case EADDRNOTAVAIL: "this machine does not have that address"
        case ENOENT, ENOTDIR: "the folder of the socket does not exist"
        case let code?: String(cString: strerror(code))
        case nil: "the name cannot be resolved, or the path is no socket"
        }
    }
}
