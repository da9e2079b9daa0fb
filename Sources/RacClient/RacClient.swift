public import NIOCore
public import NIOPosix
// Whoever connects speaks in names, values, signals and terminals: one import brings them all.
@_exported public import Rac
@_exported public import RacProtocol
public import ServiceLifecycle
import Synchronization

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

    let eventLoop: any EventLoop
    let engine: NIOLoopBoundBox<ClientEngine>
    private let lastTicket = Atomic<UInt64>(0)

    /// Makes a client, which begins to connect.
    ///
    /// - Parameters:
    ///   - address: Where the daemon listens.
    ///   - configuration: How long to wait, and how much to keep.
    ///   - group: Whose event loop the client uses one of; by default those that all of SwiftNIO shares.
    public init(
        _ address: DaemonAddress = .local,
        configuration: ClientConfiguration = ClientConfiguration(),
        on group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton
    ) {
        let eventLoop = group.next()
        let state = Property(ConnectionState.connecting)
        self.address = address
        self.connection = state.readOnly
        self.eventLoop = eventLoop
        let engine = ClientEngine(address, configuration, on: eventLoop, state: state)
        self.engine = NIOLoopBoundBox.makeBoxSendingValue(engine, eventLoop: eventLoop)
        eventLoop.execute { [engine = self.engine] in engine.value.start() }
    }

    deinit {
        self.eventLoop.execute { [engine] in engine.value.close() }
    }

    /// Leaves in order: waits until what is under way is settled and the daemon has said goodbye.
    ///
    /// Both no longer than `ClientConfiguration.closeTimeout`. Cancelling the task does not stop the wait.
    public func close() async {
        await withCheckedContinuation { continuation in
            self.eventLoop.execute { [engine] in engine.value.close { continuation.resume() } }
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

extension RacClient {
    /// Asks the daemon, through reconnections, and waits for its answer.
    func answer(to request: Request) async throws(ClientError) -> Exchange.Answer {
        let ticket = self.lastTicket.add(1, ordering: .relaxed).newValue
        return try await self.onLoop { engine, continuation in
            engine.requests.ask(request, as: ticket) { continuation.resume(returning: $0) }
        } cancel: { engine in
            engine.requests.giveUp(ticket, .cancelledWait)
        }
    }

    /// Begins something on the event loop that answers once, and gives it up if the task is cancelled, even before that.
    func onLoop<Output: Sendable>(
        _ begin: @escaping @Sendable (ClientEngine, CheckedContinuation<Result<Output, ClientError>, Never>) -> Void,
        cancel: @escaping @Sendable (ClientEngine) -> Void
    ) async throws(ClientError) -> Output {
        let isCancelled = Flag()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                self.eventLoop.execute { [engine] in
                    begin(engine.value, continuation)
                    if isCancelled.isSet { cancel(engine.value) }
                }
            }
        } onCancel: {
            isCancelled.set()
            self.eventLoop.execute { [engine] in cancel(engine.value) }
        }
        return try result.get()
    }
}

/// Something that happens once and is seen on every thread.
private final class Flag: Sendable {
    private let value = Atomic(false)

    var isSet: Bool { self.value.load(ordering: .acquiring) }

    func set() {
        self.value.store(true, ordering: .releasing)
    }
}
