import NIOCore
public import Rac
public import RacProtocol

/// A command of this program that every client of the daemon may execute.
///
/// It is hosted, again after each loss of the connection, until this is disposed, the client is closed, or the daemon does
/// not allow it. The daemon may change its mind while the command is hosted. Letting go of this object does not end that; until then the command is held.
///
/// A request of another program runs as if this program had called `execute`, on the client's event loop. A remote
/// cancel cancels the execution; so do the end of the hosting and the loss of the connection. Isolation: any thread.
/// Semantics: protocol.md, "Commands".
public final class HostedCommand: Disposable {
    /// The command's name.
    public let name: CommandName
    /// Whether the daemon offers it to others now: not while there is no connection.
    public let isHosted: ReadOnlyProperty<Bool>
    /// Completes when this is disposed.
    ///
    /// Fails if the daemon refuses the hosting (codes `alreadyHosted`, `forbidden`, `limit`), later too when its rules change,
    /// or the client is closed.
    /// Later observers get the end, too.
    public let ended: Signal<Never, ClientError>

    private let side: NIOLoopBoundBox<CommandHostSide>
    private let eventLoop: any EventLoop
    private let isLeaving = Flag()

    init(_ name: CommandName, _ command: LocalCommand, _ loop: ClientLoop) {
        let state = HostState(eventLoop: loop.eventLoop)
        self.name = name
        self.isHosted = state.isHosted.readOnly
        self.ended = state.end.signal
        self.eventLoop = loop.eventLoop
        let side = NIOLoopBoundBox.makeBoxSendingValue(
            CommandHostSide(name, command, state),
            eventLoop: loop.eventLoop
        )
        self.side = side
        state.waker.onWake { side.value.attend() }
        loop.eventLoop.execute { [engine = loop.engine] in side.value.start(engine.value) }
    }

    /// Whether the program has ended it.
    public var isDisposed: Bool { self.isLeaving.isSet }

    /// Hosts the command no longer: what others have running is cancelled, and fails for them with `host-lost`.
    public func dispose() {
        self.isLeaving.set()
        self.eventLoop.execute { [side] in side.value.leave() }
    }
}
