public import Rac
public import RacProtocol

/// One side of a paired channel: what is sent here comes out of the other side, in every program, and the reverse.
///
/// A leading side is the model's, and is told what the following side sends from now on. A following side is the
/// view's, and is told first what the leading side sent last. Nothing is lost or sent twice while the connection holds;
/// while there is none, what is sent waits. If too much waits for this program the terminal fails with `slow-consumer`,
/// and the channel lives on. Isolation, ends and what keeps it bound: as ``RemoteProperty``. Semantics:
/// docs/semantics.md, remote-1 to remote-8; protocol.md, "Modes".
public final class RemoteTerminal<Value: Sendable>: SignalSource, EventReceiver {
    private let handle: RemoteHandle<Value>

    init(_ handle: RemoteHandle<Value>) {
        self.handle = handle
    }

    /// The channel's name.
    public var name: ChannelName { self.handle.name }

    /// Which side it is.
    public var role: Role { self.handle.role }

    /// Whether it is bound now: false while there is no connection.
    public var isLive: Bool { self.handle.state.isBound }

    /// What comes from the other side, then the channel's end.
    public var signal: Signal<Value, ClientError> { self.handle.signal }

    /// What went wrong without ending the terminal: sends that were refused, values that are not of its type.
    public var errors: Signal<ClientError, Never> { self.handle.state.errors.signal }

    /// A terminal to bind by `bind` or `<~>`; several on one side do not hear each other.
    ///
    /// - Returns: A new terminal.
    public func terminal() -> ChannelTerminal<Value, ClientError> { self.handle.terminal() }

    /// Sends a value to the other side.
    ///
    /// - Parameter value: Waits for the connection; if too much waits already it is dropped, which ``errors`` tells.
    public func send(_ value: Value) {
        self.handle.mirror.send(value)
    }

    /// Sends a value when there is room, and waits until the daemon has it.
    ///
    /// - Parameters:
    ///   - value: What the other side is told.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision of the change.
    /// - Throws: As ``RemoteProperty/write(_:sync:)``.
    @discardableResult
    public func write(_ value: Value, sync: Bool = false) async throws(ClientError) -> Revision {
        try await self.handle.room()
        return try await self.handle.write(value, sync: sync)
    }

    /// Waits until the daemon has answered everything that was sent until now.
    ///
    /// - Throws: ``ClientError`` with code `cancelled`.
    public func settled() async throws(ClientError) {
        try await self.handle.settled()
    }

    /// Ends the channel for everybody on both sides, behind what was sent before.
    ///
    /// - Parameter ending: A failure travels with its code, message and data.
    public func end(_ ending: Ending<ClientError>) {
        self.handle.end(ending)
    }
}
