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
    private let files: [SocketFile]

    /// The addresses in their order, with real ports.
    let addresses: [ListeningAddress]

    /// Listens on all addresses, or on none if one fails.
    ///
    /// - Parameters:
    ///   - addresses: The addresses; port 0 takes a free one.
    ///   - loops: The loops that serve the connections.
    ///   - group: The group of these loops.
    ///   - rights: The rights of the Unix sockets among the addresses.
    ///   - resolve: The addresses of a host and a port.
    ///   - transport: The handlers of a connection's transport; none for frames in plain bytes.
    /// - Throws: ``ServerError``: the reason for people.
    init(
        _ addresses: [ListenAddress],
        _ loops: Loops,
        _ group: MultiThreadedEventLoopGroup,
        rights: SocketRights = SocketRights(),
        resolve: (String, Int) -> [SocketAddress] = HostAddresses.resolve,
        transport: @escaping Transport = { _ in [] }
    ) async throws {
        var channels: [any Channel] = []
        var files: [SocketFile] = []
        var listening: [ListeningAddress] = []
        do {
            for address in addresses {
                let bootstrap = Self.bootstrap(of: address, loops, group, transport)
                guard let (host, port) = address.place else {
                    let (channel, file) = try await Self.listen(on: address.text, bootstrap, group, rights)
                    channels.append(channel)
                    files.append(file)
                    listening.append(ListeningAddress(configured: address, places: [address]))
                    continue
                }
                let found = resolve(host, port)
                let opened = try await Self.listen(at: address, found, bootstrap, beside: addresses)
                channels += opened
                let places = opened.compactMap(\.localAddress).map { place in
                    address.with(host: place.ipAddress, port: place.port ?? port)
                }
                let real = places.first?.place.map { address.with(port: $0.port) } ?? address
                listening.append(ListeningAddress(configured: real, places: places))
            }
        } catch {
            await Self.close(channels, files)
            throw error
        }
        self.channels = channels
        self.files = files
        self.addresses = listening
    }

    func close() async {
        await Self.close(self.channels, self.files)
    }

    private static func close(_ channels: [any Channel], _ files: [SocketFile]) async {
        for channel in channels { try? await channel.close() }
        for file in files { file.remove() }
    }

    /// The clients that a listener accepts between two looks at the room for them.
    private static let acceptedAtOnce: UInt = 4

    private static func bootstrap(
        of address: ListenAddress,
        _ loops: Loops,
        _ group: MultiThreadedEventLoopGroup,
        _ transport: @escaping Transport
    ) -> ServerBootstrap {
        ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: Self.backlog)
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
    }

    /// The connections that wait for the daemon to accept them.
    private static let backlog: Int32 = 1024

    // MARK: Ports

    /// Listens on all addresses of a host, with one port.
    ///
    /// An address that the machine does not have is left out: many a machine without IPv6 has a name for `::1`.
    private static func listen(
        at address: ListenAddress,
        _ found: [SocketAddress],
        _ bootstrap: ServerBootstrap,
        beside others: [ListenAddress]
    ) async throws -> [any Channel] {
        guard !found.isEmpty else { throw ServerError("cannot listen on \(address): the name cannot be resolved") }
        let bootstrap = Self.keepsAlive(bootstrap)
        let isV6Only = address.leavesIPv4(to: others)
        // A port that one address has free may be taken at another one.
        var attempts = found.count > 1 && address.place?.port == 0 ? 10 : 1
        while true {
            do {
                return try await Self.listen(at: found, bootstrap, isV6Only: isV6Only)
            } catch {
                attempts -= 1
                guard attempts > 0, (error as? IOError)?.errnoCode == EADDRINUSE else {
                    throw ServerError("cannot listen on \(address): \(Self.reason(error))")
                }
            }
        }
    }

    private static func listen(
        at found: [SocketAddress],
        _ bootstrap: ServerBootstrap,
        isV6Only: Bool
    ) async throws -> [any Channel] {
        var channels: [any Channel] = []
        var missing: (any Error)?
        for var place in found {
            if let port = channels.first?.localAddress?.port { place.port = port }
            // Without this option the wildcard of IPv6 takes the clients of IPv4, too.
            var own = bootstrap
            if isV6Only, place.protocol == .inet6 { own = own.serverChannelOption(Self.v6Only, value: 1) }
            do {
                channels.append(try await own.bind(to: place).get())
            } catch let error as IOError where [EADDRNOTAVAIL, EAFNOSUPPORT].contains(error.errnoCode) {
                missing = error
            } catch {
                await Self.close(channels, [])
                throw error
            }
        }
        if channels.isEmpty, let missing { throw missing }
        return channels
    }

    private static let v6Only = ChannelOptions.Types.SocketOption(level: .ipv6, name: .ipv6_v6only)

    // MARK: Unix sockets

    /// Listens on a path; the file has its rights before anybody can connect.
    private static func listen(
        on path: String,
        _ bootstrap: ServerBootstrap,
        _ group: MultiThreadedEventLoopGroup,
        _ rights: SocketRights
    ) async throws -> (any Channel, SocketFile) {
        guard path.utf8.count <= Self.longestPath else {
            let help = "the socket path is too long (at most \(Self.longestPath) bytes)"
            throw ServerError("cannot listen on unix:\(path): \(help)")
        }
        do {
            try await Self.checkFree(path, group)
            guard SocketFile.removeLeftover(path) else {
                throw ServerError("cannot listen on unix:\(path): the path has a file that is no socket")
            }
            let (file, descriptor) = try SocketFile.bind(path)
            do {
                try rights.apply(to: path)
            } catch {
                Glibc.close(descriptor)
                file.remove()
                throw error
            }
            do {
                let channel = try await bootstrap.withBoundSocket(descriptor).get()
                // The channel takes no backlog for a socket that is bound already.
                Glibc.listen(descriptor, Self.backlog)
                return (channel, file)
            } catch {
                file.remove()
                throw error
            }
        } catch let error as ServerError {
            throw error
        } catch {
            throw ServerError("cannot listen on unix:\(path): \(Self.reason(error))")
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
        case nil: "\(error)"
        }
    }
}
