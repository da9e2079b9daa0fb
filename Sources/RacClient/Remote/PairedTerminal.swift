public import Rac
public import RacProtocol

/// One side of a paired channel whose two directions have types of their own, such as readings and wishes.
///
/// Apart from the types it is a ``RemoteTerminal``, which says for whom every value counts, and how many sends wait.
/// Isolation, ends and lifetime: as ``RemoteProperty``.
///
/// Semantics: docs/semantics.md, remote-1 to remote-8; protocol.md, "Modes".
public final class PairedTerminal<Sent: Sendable, Received: Sendable>: SignalSource {
    private let sender: RemoteHandle<Sent>
    private let receiver: RemoteHandle<Received>

    init(_ sender: RemoteHandle<Sent>, _ receiver: RemoteHandle<Received>) {
        self.sender = sender
        self.receiver = receiver
    }

    /// The channel's name.
    public var name: ChannelName { self.sender.name }

    /// The side.
    public var role: Role { self.sender.role }

    /// Whether the terminal is bound now: false while there is no connection.
    public var isLive: Bool { self.receiver.isLive }

    /// The values from the other side, then the channel's end.
    ///
    /// On a following side, and on a leading one with `replaysWish`, the last value comes first.
    public var signal: Signal<Received, ClientError> { self.receiver.signal }

    /// Errors that do not end the terminal: refused sends, values that are not of its type.
    public var errors: Signal<ClientError, Never> { self.receiver.state.problems.errors }

    /// The newest of ``errors``, for those who come later; nil again when a value comes or a send is applied.
    public var problem: ReadOnlyProperty<ClientError?> { self.receiver.state.problems.problem }

    /// Sends a value to the other side.
    ///
    /// - Parameter value: Waits for the connection. If ``ClientConfiguration/maximumWaitingSends`` values wait already, it is
    ///   dropped, and ``errors`` reports that with `limit`.
    public func send(_ value: Sent) {
        self.sender.send(value)
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
        _ value: Sent,
        sync: Bool = false,
        timeout: Duration? = nil
    ) async throws(ClientError) -> Revision {
        try await self.sender.writeInTurn(value, sync: sync, timeout: timeout)
    }

    /// Sends each value of a signal to the other side, until its end, which leaves the channel as it is.
    ///
    /// - Parameter source: Observed at once; the binding keeps the channel bound until the source ends.
    /// - Returns: The handle that undoes it; releasing it does nothing.
    @discardableResult
    public func bind<Failure>(to source: some SignalSource<Sent, Failure>) -> Subscription {
        source.signal.observe(value: { self.send($0) }, end: { _ in })
    }

    /// Waits until the daemon has answered every send until now.
    ///
    /// - Parameter timeout: The longest wait; nil waits as long as it takes, over lost connections too.
    /// - Throws: `ClientError` with code `cancelled` or `timedOut`, which stop the wait and no send.
    public func settled(timeout: Duration? = nil) async throws(ClientError) {
        try await self.sender.settled(timeout: timeout)
    }

    /// Ends the channel for everybody on both sides, behind the values sent before.
    ///
    /// - Parameter ending: How it ends, also an end that was received elsewhere. A failure travels with its code, message
    ///   and data. A failure that says that a client lost its connection, such as `closed`, ends nothing.
    public func end(_ ending: Ending<ClientError>) {
        self.sender.end(ending)
    }
}

extension Client {
    /// One side of a paired channel whose directions have types of their own.
    ///
    ///     let heater = try client.terminal("heater", .leading, sends: Reading.self, receives: Wish.self, replaysWish: true)
    ///
    /// - Parameters:
    ///   - name: The channel's name; it is created if it does not exist.
    ///   - role: The side.
    ///   - sent: The type of the values that go to the other side.
    ///   - received: The type of the values that come from there.
    ///   - replaysWish: Whether a leading side gets the last wish of before its time, too; a following side always gets the
    ///     last value.
    ///   - interval: At most one value, the newest, comes in each interval; nil: every value comes.
    ///   - will: The daemon's orders for the channel when this program is lost.
    /// - Returns: The terminal.
    /// - Throws: `ClientError` with code `badName` or `badValue`. It fails with `wrongMode` if the channel is a shared one.
    ///   Terminals of one side in one client need the same options, or the later one fails with `alreadyBound`.
    public func terminal<Sent: Codable & Sendable, Received: Codable & Sendable>(
        _ name: some NameText,
        _ role: Role,
        sends sent: Sent.Type,
        receives received: Received.Type,
        replaysWish: Bool = false,
        interval: Duration? = nil,
        will: ChannelWill<Sent>? = nil
    ) throws(ClientError) -> PairedTerminal<Sent, Received> {
        let coding = ValueCoding<Sent>.codable(self.loop.coders)
        var options = try BindingOptions(defaultValue: nil, interval: interval, will: will, coding)
        options.replaysWish = replaysWish && role == .leading
        let name = try ChannelName(checking: name)
        let problems = ChannelProblems(of: name, self.loop)
        let keeps = options.replaysWish || role == .following
        return PairedTerminal(
            RemoteHandle(name, .leading, options, coding.sendingOnly, self.loop, role: role, reportingTo: problems),
            RemoteHandle(
                name,
                keeps ? .following : .leading,
                options,
                .codable(self.loop.coders),
                self.loop,
                role: role,
                sends: false,
                reportingTo: problems
            )
        )
    }
}
