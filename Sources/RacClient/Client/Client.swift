public import NIOCore
public import NIOPosix
// A client's interface has names, values, signals and terminals: one import brings them all.
@_exported public import Rac
@_exported public import RacConnection
@_exported public import RacProtocol

/// A program's connection to a daemon, made again whenever it is lost.
///
/// It connects by itself as soon as it is made. Calls wait for the connection; a lost one shows in ``connection``
/// alone. No channel ends then: terminals are bound again, and open writes are sent again and applied once. Hold the
/// client as long as one of its objects is used. When it is closed or released, it settles its open work and sends
/// `bye`, so that no will is applied. Then all its objects fail with `closed`, and no task, thread or socket is left.
///
/// With the trait `ServiceLifecycle` it is a `Service`, which closes at graceful shutdown. Isolation: any task or thread.
/// Semantics: protocol.md, "What a client does".
public final class Client: Sendable {
    /// Where the daemon listens.
    public let address: DaemonAddress
    /// Whether there is a connection now, and why not; completes when the client is closed or refused for good.
    public let connection: ReadOnlyProperty<ConnectionState>

    let loop: ClientLoop

    /// Makes a client, which begins to connect.
    ///
    /// - Parameters:
    ///   - address: Where the daemon listens.
    ///   - configuration: The limits of time and of kept data.
    ///   - group: The event loops, of which the client uses one; the default is SwiftNIO's shared group.
    public convenience init(
        _ address: DaemonAddress = .local,
        configuration: ClientConfiguration = ClientConfiguration(),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.init(
            address,
            configuration: configuration,
            on: group.next(),
            in: ClientSurroundings(of: address, tls: configuration.tls)
        )
    }

    /// Makes a client, which begins to connect to the daemon of a URL.
    ///
    /// - Parameters:
    ///   - url: `rac://host`, `rac://host:port`, `rac://[IPv6 address]:port`, `host:port` or `unix:/path`; `racs://` for
    ///     TLS.
    ///   - configuration: The limits of time and of kept data.
    ///   - group: The event loops, of which the client uses one.
    /// - Throws: `ClientError` with code `invalidURL`.
    public convenience init(
        _ url: String,
        configuration: ClientConfiguration = ClientConfiguration(),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) throws(ClientError) {
        self.init(try DaemonAddress(url), configuration: configuration, on: group)
    }

    /// Makes a client that belongs to an event loop and has surroundings of its own.
    package init(
        _ address: DaemonAddress,
        configuration: ClientConfiguration,
        on eventLoop: any EventLoop,
        in surroundings: ClientSurroundings
    ) {
        let state = Property(ConnectionState.connecting)
        self.address = address
        self.connection = state.readOnly
        self.loop = ClientLoop(ClientEngine(address, configuration, on: eventLoop, in: surroundings, state: state))
        eventLoop.execute { [engine = self.loop.engine] in engine.value.start() }
    }

    deinit {
        self.loop.eventLoop.execute { [engine = self.loop.engine] in engine.value.close() }
    }

    /// Leaves in order: waits until what is under way is settled and the daemon has said goodbye.
    ///
    /// Both no longer than `ClientConfiguration.closeTimeout`; a write that waits for a connection is dropped then. Cancelling the task does not stop the wait.
    public func close() async {
        await withCheckedContinuation { continuation in
            self.loop.eventLoop.execute { [engine = self.loop.engine] in
                engine.value.close { continuation.resume() }
            }
        }
    }
}
