public import NIOCore
public import NIOPosix
// Whoever connects speaks in names, values, signals and terminals: one import brings them all.
@_exported public import Rac
@_exported public import RacConnection
@_exported public import RacProtocol
public import ServiceLifecycle

/// A program's connection to a daemon, made again whenever it is lost.
///
/// It connects by itself as soon as it is made. Calls wait for the connection; a lost one shows in ``connection`` and in
/// nothing else: no channel has ended then, what is bound is bound again, and what was written is sent again and applied
/// once. Hold the client for as long as anything of it is used. When it is closed, or when nobody holds it any more, what
/// is under way is settled, the daemon is told bye, so that no will is applied, and everything that came from the client
/// fails with `closed`; no task, thread or socket stays behind.
///
/// As a `Service` it closes at graceful shutdown. Isolation: any task or thread.
/// Semantics: protocol.md, "What a client does".
public final class RacClient: Sendable {
    /// Where the daemon listens.
    public let address: DaemonAddress
    /// Whether there is a connection now, and why not; ends when the client is closed or refused for good.
    public let connection: ReadOnlyProperty<ConnectionState>

    let loop: ClientLoop

    /// Makes a client, which begins to connect.
    ///
    /// - Parameters:
    ///   - address: Where the daemon listens.
    ///   - configuration: How long to wait, and how much to keep.
    ///   - group: Whose event loop the client uses one of; by default those that all of SwiftNIO shares.
    public convenience init(
        _ address: DaemonAddress = .local,
        configuration: ClientConfiguration = ClientConfiguration(),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        self.init(address, configuration: configuration, on: group.next(), in: ClientSurroundings(of: address))
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
    /// Both no longer than `ClientConfiguration.closeTimeout`. Cancelling the task does not stop the wait.
    public func close() async {
        await withCheckedContinuation { continuation in
            self.loop.eventLoop.execute { [engine = self.loop.engine] in
                engine.value.close { continuation.resume() }
            }
        }
    }
}

extension RacClient: Service {
    /// Waits for graceful shutdown, or for the task to be cancelled, and then closes.
    public func run() async {
        try? await gracefulShutdown()
        await self.close()
    }
}
