public import Observation
public import Rac
public import RacProtocol

/// A property of many programs: a shared channel of the daemon that feels like a local `Property`.
///
/// A write is shown here at once, and everywhere as soon as the daemon has it. A write of another program is shown as soon
/// as it comes. No write comes back to its writer. When all writes are acknowledged, all programs have the daemon's value.
/// The property has no value, or its default, until the daemon reports one. While there is no connection it keeps its last value, and the
/// newest write waits. It ends with the channel, for everybody, or with `closed` when the client is closed.
///
/// Properties of one client, channel and type are one: they agree at once, and hear each other. Properties of other types
/// or intervals share one binding with them, and agree a moment later. This object, its terminals, their observers, and the
/// other ends of bindings keep it bound. Swift's observation tracks readers of `value`. Isolation: any thread. Values arrive on the client's event loop, which observers must not
/// block (`deliver(on:)` moves them elsewhere).
///
/// Semantics: docs/semantics.md, remote-9 to remote-17; protocol.md, "Agreement".
public final class RemoteProperty<Value: Sendable>: SignalSource {
    let handle: RemoteHandle<Value>

    init(_ handle: RemoteHandle<Value>) {
        self.handle = handle
    }

    /// The channel's name.
    public var name: ChannelName { self.handle.name }

    /// The current value; nil before the first value, which a default is, too.
    ///
    /// Setting it is ``send(_:)``. A channel cannot lose its value, so setting nil does nothing, unless the property's type
    /// is optional: then it sends `null`.
    public var value: Value? {
        get { self.handle.mirror.value }
        set { if let sent = newValue ?? self.handle.coding.absence { self.handle.send(sent) } }
    }

    /// The current value with its revision; nil before the first value.
    ///
    /// Swift's observation reports its next change: of the value, by an acknowledgement, or by the connection.
    public var current: RemoteValue<Value>? {
        self.handle.isRead()
        guard var kept = self.handle.mirror.kept else { return nil }
        let stamp = self.handle.state.stamp.withLock { $0 }
        // A value of the daemon has its stamp a moment before it is kept.
        if stamp.rank > kept.rank, let newer = self.handle.mirror.kept { kept = newer }
        return RemoteValue(
            value: kept.value,
            revision: stamp.rank == kept.rank ? stamp.revision : nil,
            isLive: self.handle.isConnected
        )
    }

    /// The current value, then each change, made here or elsewhere, then the channel's end.
    public var signal: Signal<Value, ClientError> { self.handle.signal }

    /// Errors that do not end the property: refused writes, values that are not of its type.
    ///
    /// After a refused write the property takes the channel's value; after a value of another type it keeps its own. A write
    /// behind the channel's end is refused with `terminated`: the property, and what is bound to it, keep the last value. A
    /// value without a JSON form, such as an infinite number, is refused before it is shown. The client's logger warns of
    /// each kind of error once.
    public var errors: Signal<ClientError, Never> { self.handle.state.problems.errors }

    /// The newest of ``errors``, for those who come later; nil again when a value comes or a write is applied.
    public var problem: ReadOnlyProperty<ClientError?> { self.handle.state.problems.problem }

    /// A terminal that observes every change not made through it, and whose end is the channel's, for everybody.
    ///
    /// Bind it by `bind` or `<~>`. The value of the right side wins at the start. A local property that goes leaves the channel
    /// as it is.
    ///
    /// - Returns: A new terminal; two on one property hear each other.
    public func terminal() -> ChannelTerminal<Value, ClientError> { self.handle.terminal() }

    /// A terminal on a field of the value: it sends the present field, then each other one, then the channel's end.
    ///
    ///     form.name.terminal() <~> profile.terminal(\.name)
    ///
    /// A received value sets the field here, and goes out with the other fields as they are here. So **a field that `Value`
    /// does not have is deleted from the channel**. Of two programs that set
    /// two fields while both writes are under way, the later one wins with its whole value; ``modify(_:)`` loses neither.
    /// A write is under way for as long as there is no connection.
    /// Before the first value the other fields are not known, so a field that is sent then is not taken. Ending it leaves
    /// the channel as it is. Semantics: docs/semantics.md, lens-1 to lens-4.
    ///
    /// - Parameter field: The path to the field, such as `\.name` or `\.address.city`.
    /// - Returns: A new terminal; two on one field get each other's values.
    public func terminal<Field: Equatable & Sendable>(
        _ field: any WritableKeyPath<Value, Field> & Sendable
    ) -> ChannelTerminal<Field, ClientError> {
        self.handle.terminal(field)
    }

    /// Sets the property, here at once.
    ///
    /// - Parameter value: Goes out when there is a connection; only the newest of several waiting values goes out.
    public func send(_ value: Value) {
        self.handle.send(value)
    }

    /// Sets the property, here at once, and waits until the daemon has it.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - sync: Whether to wait until it is on disk.
    ///   - timeout: The longest wait; nil waits as long as it takes, over lost connections too.
    /// - Returns: The revision of the write, or of a later write of this client that replaced it.
    /// - Throws: `ClientError` with code `terminated`, `tooLarge`, `badValue`, `forbidden`, `limit`, `storage`, `closed`,
    ///   or `cancelled` and `timedOut`, which stop the wait and not the write.
    @discardableResult
    public func write(
        _ value: Value,
        sync: Bool = false,
        timeout: Duration? = nil
    ) async throws(ClientError) -> Revision {
        try await self.handle.write(value, sync: sync, timeout: timeout)
    }

    /// Sets the property if nobody has changed it since `revision`; the value is shown here once that has succeeded.
    ///
    /// - Parameters:
    ///   - value: The new value.
    ///   - revision: The revision of ``current``, on which the value builds; 0 if the channel must have no value yet.
    /// - Returns: The revision of the change.
    /// - Throws: `ClientError` with code `conflict`, with the channel's value and revision, or as ``write(_:sync:timeout:)``. After
    ///   a lost connection the call may be in conflict with itself, which is `outcomeUnknown`.
    @discardableResult
    public func compareAndSet(
        _ value: Value,
        ifUnchangedSince revision: Revision
    ) async throws(ClientError) -> Revision {
        if let error = self.handle.state.refuseLate() { throw error }
        let text = try self.handle.coding.encode(value)
        var set = SetValue(channel: self.name, value: text)
        set.condition = revision
        guard case .reply(.revision(let written)) = try await self.handle.loop.answer(to: .set(set)) else {
            throw .wrongAnswer
        }
        await self.handle.wrote(text, as: written)
        return written
    }

    /// Waits until the daemon has answered every write until now.
    ///
    /// - Parameter timeout: The longest wait; nil waits as long as it takes, over lost connections too.
    /// - Throws: `ClientError` with code `cancelled` or `timedOut`, which stop the wait and no write.
    public func settled(timeout: Duration? = nil) async throws(ClientError) {
        try await self.handle.settled(timeout: timeout)
    }

    /// Waits for a value of the channel or of this program, if there is none yet.
    ///
    /// A default alone is none.
    ///
    /// - Returns: The current value, or the first one.
    /// - Throws: The channel's `ClientError`, or one with code `badValue` (the channel has a value of another type),
    ///   `terminated` or `cancelled`.
    public func firstValue() async throws(ClientError) -> Value {
        try await self.handle.state.endedOffer()
        var values = self.handle.readable.values(keepingNewest: 1).makeAsyncIterator()
        if let value = try await values.next() { return value }
        throw Task.isCancelled ? .cancelledWait : ClientError(.terminated, "\(self.name) completed without a value")
    }

    /// Ends the channel for everybody, behind the writes before.
    ///
    /// No write is taken from now on. This property ends when the daemon has ended the channel, even if another program has
    /// reopened the channel by then. A new property of that name shows the channel's present state.
    ///
    /// - Parameter ending: How it ends, also an end that was received elsewhere. A failure travels with its code, message
    ///   and data. A failure that says that a client lost its connection, such as `closed`, ends nothing.
    public func end(_ ending: Ending<ClientError>) {
        self.handle.end(ending)
    }
}

/// A remote property's value with its revision.
public struct RemoteValue<Value: Sendable>: Sendable {
    /// The value that the program sees.
    public let value: Value
    /// The value's revision; nil while it is a default, or a write of this program, that the daemon has not acknowledged.
    public let revision: Revision?
    /// Whether there is a connection; without one the value dates from before the loss, or waits to be sent.
    ///
    /// It is right for observers of the value and of the end. After a loss it is true once the channel is bound again.
    public let isLive: Bool
}

extension RemoteProperty: Observable {}

extension RemoteValue: Equatable where Value: Equatable {}

/// Binds with the right side's value winning at the start, if it has one; later changes go both ways.
///
/// A local property may have several bindings. They make one value of all their sides: each change of one channel goes
/// through the property into the other channels. To follow another channel instead, dispose the first binding.
///
/// - Parameters:
///   - left: The follower of the channel. The channel outlives it.
///   - right: The remote property, which gets no value until `left` changes.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@discardableResult
public func <~> <Value>(left: Property<Value>, right: RemoteProperty<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
}

/// Publishes a local property: its value wins at the start, and the channel outlives it.
///
/// `Client.publish` with `endsWithOwner` completes the channel when the property goes.
///
/// - Parameters:
///   - left: The remote property, which takes the value of `right`.
///   - right: The local property, which follows the channel's changes from then on.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@discardableResult
public func <~> <Value>(left: RemoteProperty<Value>, right: Property<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
}

/// Binds with the channel's value winning at the start, if it has one; later changes go both ways.
///
/// - Parameters:
///   - left: The terminal that takes the value of `right`, such as that of a field.
///   - right: The remote property, which gets no value until `left` sends one.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@discardableResult
public func <~> <Value, Failure>(left: ChannelTerminal<Value, Failure>, right: RemoteProperty<Value>) -> Subscription {
    bind(left, to: right.terminal())
}

/// Binds with the terminal's value winning at the start, if it has one; later changes go both ways.
///
/// - Parameters:
///   - left: The remote property, which takes the value of `right`.
///   - right: The terminal, such as that of a field.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@discardableResult
public func <~> <Value, Failure>(left: RemoteProperty<Value>, right: ChannelTerminal<Value, Failure>) -> Subscription {
    bind(left.terminal(), to: right)
}

/// Binds with the right channel's value winning at the start, if it has one; later changes go both ways.
///
/// The binding begins when both values are known. `Client.link` makes one that lasts and lets the newest value win.
///
/// - Parameters:
///   - left: The property that takes the value of `right`.
///   - right: The property that gets no value until `left` changes.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@discardableResult
public func <~> <Value>(left: RemoteProperty<Value>, right: RemoteProperty<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
}

/// Binds a local property that may have no value, with the channel's value winning at the start, if it has one.
///
/// Later changes go both ways. A nil of the local property does not go out: a channel cannot lose its value.
///
/// - Parameters:
///   - left: The follower of the channel. The channel outlives it.
///   - right: The remote property, which gets no value until `left` changes.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@_disfavoredOverload
@discardableResult
public func <~> <Value>(left: Property<Value?>, right: RemoteProperty<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal().map(forward: { .some($0) }, backward: { $0 }))
}

/// Publishes a local property that may have no value: its value wins at the start, if it has one.
///
/// Later changes go both ways. A nil of the local property does not go out: a channel cannot lose its value.
///
/// - Parameters:
///   - left: The remote property, which takes the value of `right`.
///   - right: The local property, which follows the channel's changes from then on.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@_disfavoredOverload
@discardableResult
public func <~> <Value>(left: RemoteProperty<Value>, right: Property<Value?>) -> Subscription {
    bind(left.terminal().map(forward: { .some($0) }, backward: { $0 }), to: right.terminal())
}
