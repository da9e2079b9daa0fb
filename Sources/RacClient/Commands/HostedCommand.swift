import NIOCore
public import Rac
public import RacProtocol

/// A command of this program that every client of the daemon may execute.
///
/// It is hosted, again after each loss of the connection, until this is disposed, the client is closed, or the daemon does
/// not allow it. The daemon may change its mind while the command is hosted.
///
/// A command has one host. Behind another program that hosts it, or a lost one that the daemon has not let go yet, this
/// one waits for the place. ``problem`` has the code `alreadyHosted` meanwhile. It hosts the command when the daemon lets
/// the other one go. With the usual heartbeat that is 50 seconds behind the last sign of life of a lost program. So a
/// second program stands by for the first one. A principal that may not `observe` the command asks for the place instead,
/// in the end once a minute. A program that must be the first one, or none, disposes this when it sees the problem.
///
/// Letting go of this object does not end that; until then the command is held.
///
/// A request of another program runs as if this program had called `execute`, on the client's event loop. A remote
/// cancel cancels the execution; so do the end of the hosting and the loss of the connection. Isolation: any thread.
/// Semantics: protocol.md, "Commands".
public final class HostedCommand: Disposable {
    /// The command's name.
    public let name: CommandName
    /// Whether the daemon offers it to others now: not while there is no connection.
    ///
    /// Other programs may find the new host, and execute the command, a moment before this is true.
    public let isHosted: ReadOnlyProperty<Bool>
    /// Why the daemon refuses the hosting; nil before its answer and while the command is hosted.
    ///
    /// With `alreadyHosted` this command waits for the place of another host; each other problem is that of ``ended``. The
    /// client's logger warns of it once.
    public let problem: ReadOnlyProperty<ClientError?>
    /// Completes when this is disposed.
    ///
    /// Fails if the daemon refuses the hosting (codes `forbidden`, `limit`), later too when its rules change. It fails, too,
    /// if this client hosts the name already (`alreadyHosted`), or is closed.
    /// Later observers get the end, too.
    public let ended: Signal<Never, ClientError>

    private let side: NIOLoopBoundBox<CommandHostSide>
    private let eventLoop: any EventLoop
    private let isLeaving = Flag()

    init(_ name: CommandName, _ command: LocalCommand, _ loop: ClientLoop) {
        let state = HostState(eventLoop: loop.eventLoop)
        self.name = name
        self.isHosted = state.isHosted.readOnly
        self.problem = state.problem.readOnly
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
