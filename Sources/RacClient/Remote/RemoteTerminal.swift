public import Rac
public import RacProtocol

/// One side of a paired channel: a value sent here arrives at the other side, in every program, and the reverse.
///
/// A leading side belongs to the model and gets the values that the following side sends from now on. A following side
/// belongs to the view and first gets the value that the leading side sent last. While the connection holds, no value is
/// lost or sent twice; while there is none, sends wait. If too many values wait for this program, the terminal fails with
/// `slow-consumer` and the channel lives on.
///
/// Every value counts for a terminal that is bound. A terminal that binds later, or again after a lost connection, gets
/// the last value at most. Until the daemon has answered them, with a connection or without, a side keeps its oldest
/// ``ClientConfiguration/maximumWaitingSends`` sends, 1024 by default. It refuses each later one with `limit`, which
/// ``errors`` reports; ``write(_:sync:timeout:)`` waits for room instead.
///
/// Isolation, ends and lifetime: as ``RemoteProperty``.
///
/// Semantics: docs/semantics.md, remote-1 to remote-8; protocol.md, "Modes".
public final class RemoteTerminal<Value: Sendable>: SignalSource, EventReceiver {
    private let handle: RemoteHandle<Value>

    init(_ handle: RemoteHandle<Value>) {
        self.handle = handle
    }

    /// The channel's name.
    public var name: ChannelName { self.handle.name }

    /// The side.
    public var role: Role { self.handle.role }

    /// Whether the terminal is bound now: false while there is no connection.
    public var isLive: Bool { self.handle.isLive }

    /// The values from the other side, then the channel's end.
    public var signal: Signal<Value, ClientError> { self.handle.signal }

    /// Errors that do not end the terminal: refused sends, values that are not of its type.
    public var errors: Signal<ClientError, Never> { self.handle.state.problems.errors }

    /// The newest of ``errors``, for those who come later; nil again when a value comes or a write is applied.
    public var problem: ReadOnlyProperty<ClientError?> { self.handle.state.problems.problem }

    /// A terminal to bind by `bind` or `<~>`; several on one side do not hear each other.
    ///
    /// - Returns: A new terminal.
    public func terminal() -> ChannelTerminal<Value, ClientError> { self.handle.terminal() }

    /// Sends a value to the other side.
    ///
    /// - Parameter value: Waits for the connection. If ``ClientConfiguration/maximumWaitingSends`` values wait already, it is
    ///   dropped, and ``errors`` reports that with `limit`.
    public func send(_ value: Value) {
        self.handle.send(value)
    }

    /// Sends a value when there is room, and waits until the daemon has it.
    ///
    /// - Parameters:
    ///   - value: The value for the other side.
    ///   - sync: Whether to wait until it is on disk.
    ///   - timeout: The longest wait for room, and then for the daemon; nil waits as long as it takes.
    /// - Returns: The revision of the change.
    /// - Throws: As ``RemoteProperty/write(_:sync:timeout:)``.
    @discardableResult
    public func write(
        _ value: Value,
        sync: Bool = false,
        timeout: Duration? = nil
    ) async throws(ClientError) -> Revision {
        try await self.handle.writeInTurn(value, sync: sync, timeout: timeout)
    }

    /// Waits until the daemon has answered every send until now.
    ///
    /// - Parameter timeout: The longest wait; nil waits as long as it takes, over lost connections too.
    /// - Throws: `ClientError` with code `cancelled` or `timedOut`, which stop the wait and no send.
    public func settled(timeout: Duration? = nil) async throws(ClientError) {
        try await self.handle.settled(timeout: timeout)
    }

    /// Ends the channel for everybody on both sides, behind the values sent before.
    ///
    /// - Parameter ending: How it ends, also an end that was received elsewhere. A failure travels with its code, message
    ///   and data. A failure that says that a client lost its connection, such as `closed`, ends nothing.
    public func end(_ ending: Ending<ClientError>) {
        self.handle.end(ending)
    }
}
