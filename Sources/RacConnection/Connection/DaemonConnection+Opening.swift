import Glibc
package import NIOCore
import NIOPosix

extension DaemonConnection {
    /// Connects to a daemon and waits for its welcome.
    ///
    /// Cancelling the task gives the connection up once it stands.
    ///
    /// - Parameters:
    ///   - address: Where the daemon listens.
    ///   - configuration: The time limits, and the program's names for the daemon.
    ///   - group: The group of the event loop.
    /// - Returns: A connection over which requests can be made.
    /// - Throws: ``ClientError`` with code `unreachable`, `timedOut`, `invalidURL`, `cancelled`, or what the daemon
    ///   refused with.
    package static func open(
        to address: DaemonAddress,
        configuration: ConnectionConfiguration = ConnectionConfiguration(),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) async throws(ClientError) -> DaemonConnection {
        let connection: DaemonConnection
        do {
            connection = try await Self.connect(to: address, configuration: configuration, on: group)
        } catch {
            throw ClientError(connectingTo: address, within: TimeAmount(configuration.connectTimeout), error)
        }
        do {
            try await connection.welcomed()
            return connection
        } catch {
            await connection.close()
            throw error
        }
    }

    private static func connect(
        to address: DaemonAddress,
        configuration: ConnectionConfiguration,
        on group: any EventLoopGroup
    ) async throws -> DaemonConnection {
        let bootstrap = ClientBootstrap(group: group).connectTimeout(TimeAmount(configuration.connectTimeout))
        let transport = try await ClientTransport.make(to: address, configuration.tls, on: group.next()).get()
        let initialize: @Sendable (any NIOCore.Channel) -> EventLoopFuture<DaemonConnection> = { channel in
            channel.eventLoop.makeCompletedFuture {
                try transport.join(channel)
                return try DaemonConnection(on: channel, to: address, configuration: configuration)
            }
        }
        switch address {
        case .tcp(let host, let port), .tls(let host, let port):
            return try await bootstrap.connect(host: host, port: port, channelInitializer: initialize)
        case .unix(let path):
            return try await bootstrap.connect(unixDomainSocketPath: path, channelInitializer: initialize)
        }
    }
}

extension DaemonAddress {
    /// Hands a new channel to the closure, before it is active.
    package typealias Initialize = @Sendable (any NIOCore.Channel) -> EventLoopFuture<Void>

    /// Makes a connection on an event loop.
    package func dial(
        on eventLoop: any EventLoop,
        within timeout: TimeAmount,
        tls: ClientTLS = ClientTLS(),
        _ initialize: @escaping Initialize
    ) -> EventLoopFuture<any NIOCore.Channel> {
        ClientTransport.make(to: self, tls, on: eventLoop).flatMap { transport in
            let bootstrap = ClientBootstrap(group: eventLoop).connectTimeout(timeout).channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try transport.join(channel) }.flatMap { initialize(channel) }
            }
            switch self {
            case .tcp(let host, let port), .tls(let host, let port): return bootstrap.connect(host: host, port: port)
            case .unix(let path): return bootstrap.connect(unixDomainSocketPath: path)
            }
        }
    }
}

extension ClientError {
    /// The fault that prevented a connection.
    package init(connectingTo address: DaemonAddress, within time: TimeAmount, _ error: any Error) {
        switch error {
        case let error as ClientError: self = error
        case ChannelError.connectTimeout:
            self.init(.timedOut, "no connection to racd at \(address) within \(time.text)", cause: error)
        case SocketAddressError.unixDomainSocketPathTooLong:
            let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
            let message = "the path of a Unix-domain socket has at most \(limit) bytes, unlike \(address)"
            self.init(.invalidURL, message, cause: error)
        default:
            let help = Self.isOfName(error) ? "" : ": is `racd serve` running?"
            self.init(.unreachable, "cannot reach racd at \(address): \(Self.reason(error))\(help)", cause: error)
        }
    }

    /// Whether the host's name led nowhere, so that no daemon was asked.
    private static func isOfName(_ error: any Error) -> Bool {
        (error as? NIOConnectionError)?.connectionErrors.isEmpty ?? false
    }

    private static func reason(_ error: any Error) -> String {
        switch error {
        case let error as IOError: String(cString: strerror(error.errnoCode))
        case let error as NIOConnectionError:
            error.connectionErrors.first.map { Self.reason($0.error) } ?? "no such host"
        default: "\(error)"
        }
    }
}
