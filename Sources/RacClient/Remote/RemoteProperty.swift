public import Rac
public import RacProtocol

/// A property of many programs: a shared channel of the daemon that feels like a local ``Property``.
///
/// What is set here is here at once, and everywhere as soon as the daemon has it; what others set is here as soon as it
/// comes. No write comes back to its writer, and when all writes are acknowledged, all programs have what the daemon has.
/// It has no value until the daemon has told it one. While there is no connection it keeps its last value, and of what is
/// set meanwhile the newest waits. It ends with the channel, for everybody, or with `closed` when the client goes.
///
/// Properties of one client and channel share one binding. This object, its terminals, and who observes or is bound to
/// them keep it bound. Isolation: any thread; what comes is told on the client's event loop, so observers must not
/// block it (`deliver(on:)` moves them elsewhere). Semantics: docs/semantics.md, remote-9 to remote-17; protocol.md,
/// "Agreement".
public final class RemoteProperty<Value: Sendable>: SignalSource {
    let handle: RemoteHandle<Value>

    init(_ handle: RemoteHandle<Value>) {
        self.handle = handle
    }

    /// The channel's name.
    public var name: ChannelName { self.handle.name }

    /// What the property is now; nil before the first value.
    public var value: Value? { self.handle.mirror.value }

    /// What the property is now, with what is known of it; nil before the first value.
    public var current: RemoteValue<Value>? {
        guard let kept = self.handle.mirror.kept else { return nil }
        let stamp = self.handle.state.stamp.withLock { $0 }
        return RemoteValue(
            value: kept.value,
            revision: stamp.rank == kept.rank ? stamp.revision : nil,
            isLive: self.handle.state.isBound
        )
    }

    /// The value of now, then each change, be it made here or elsewhere, then the channel's end.
    public var signal: Signal<Value, ClientError> { self.handle.signal }

    /// What went wrong without ending the property: writes that were refused, values that are not of its type.
    ///
    /// After a refused write the property is what the channel has; after a value of another type what it was before.
    public var errors: Signal<ClientError, Never> { self.handle.state.errors.signal }

    /// A terminal of its own: it tells what did not come through it, and its end is the channel's, for everybody.
    ///
    /// Bind it by `bind` or `<~>`. On the left, a local property on the right publishes itself, and completes the channel
    /// when its owner goes; on the right, a local property on the left looks at the channel, and leaves it as it is.
    ///
    /// - Returns: A new terminal; two on one property hear each other.
    public func terminal() -> ChannelTerminal<Value, ClientError> { self.handle.terminal() }

    /// Sets the property, here at once.
    ///
    /// - Parameter value: Goes out when there is a connection; of several that wait the newest does.
    public func send(_ value: Value) {
        self.handle.mirror.send(value)
    }

    /// Sets the property, here at once, and waits until the daemon has it.
    ///
    /// - Parameters:
    ///   - value: What it becomes.
    ///   - sync: Whether to wait until it is on disk.
    /// - Returns: The revision that it, or a later write of this client which took its place, was applied as.
    /// - Throws: ``ClientError`` with code `terminated`, `tooLarge`, `badValue`, `forbidden`, `limit`, `storage`, `closed`
    ///   or `cancelled`, which stops the wait and not the write.
    @discardableResult
    public func write(_ value: Value, sync: Bool = false) async throws(ClientError) -> Revision {
        try await self.handle.write(value, sync: sync)
    }

    /// Sets the property if nobody has changed it since `revision`; here it is shown when it has succeeded.
    ///
    /// - Parameters:
    ///   - value: What it becomes.
    ///   - revision: That of ``current``, on which the value builds; 0 if the channel must have no value yet.
    /// - Returns: The revision of the change.
    /// - Throws: ``ClientError`` with code `conflict`, with the channel's value and revision, or as ``write(_:sync:)``.
    @discardableResult
    public func compareAndSet(
        _ value: Value,
        ifUnchangedSince revision: Revision
    ) async throws(ClientError) -> Revision {
        let text = try self.handle.coding.encode(value)
        var set = SetValue(channel: self.name, value: text)
        set.condition = revision
        guard case .reply(.revision(let written)) = try await self.handle.loop.answer(to: .set(set)) else {
            throw .wrongAnswer
        }
        self.handle.wrote(text, as: written)
        return written
    }

    /// Waits until the daemon has answered every write of until now.
    ///
    /// - Throws: ``ClientError`` with code `cancelled`.
    public func settled() async throws(ClientError) {
        try await self.handle.settled()
    }

    /// Waits for a value, if there is none yet.
    ///
    /// - Returns: The value of now, or the first one.
    /// - Throws: ``ClientError`` with how the channel failed, or code `terminated` or `cancelled`.
    public func firstValue() async throws(ClientError) -> Value {
        var values = self.signal.values(keepingNewest: 1).makeAsyncIterator()
        if let value = try await values.next() { return value }
        throw Task.isCancelled ? .cancelledWait : ClientError(.terminated, "\(self.name) completed without a value")
    }

    /// Ends the channel for everybody, behind what was written before.
    ///
    /// From now on nothing is written here. When the daemon has carried it out this property ends too, even if somebody has
    /// reopened the channel before that could be told: a new property of its name shows what has become of it.
    ///
    /// - Parameter ending: A failure travels with its code, message and data.
    public func end(_ ending: Ending<ClientError>) {
        self.handle.end(ending)
    }
}

/// A remote property's value with what is known of it.
public struct RemoteValue<Value: Sendable>: Sendable {
    /// The value that the program sees.
    public let value: Value
    /// Its revision; nil while it is a write of this program that the daemon has not acknowledged.
    public let revision: Revision?
    /// Whether there is a connection; without one the value is from before the loss, or waits to be sent.
    public let isLive: Bool
}

extension RemoteValue: Equatable where Value: Equatable {}

/// The right side's value wins at the start, if it has one; from then on every change on either side goes to the other.
///
/// - Parameters:
///   - left: Looks at the channel; when it goes, the channel stays.
///   - right: Is sent nothing until `left` changes.
/// - Returns: The handle that undoes it; letting go of it does not.
@discardableResult
public func <~> <Value>(left: Property<Value>, right: RemoteProperty<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
}

/// The local property is published: its value wins at the start, and its owner's end completes the channel.
///
/// - Parameters:
///   - left: Becomes what `right` is.
///   - right: Follows the channel's changes from then on.
/// - Returns: The handle that undoes it; letting go of it does not.
@discardableResult
public func <~> <Value>(left: RemoteProperty<Value>, right: Property<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
}

/// The right channel's value wins at the start, if it has one; from then on every change on either goes to the other.
///
/// It begins when both are known. `RacClient.link` is the one that lasts and lets the newest win.
///
/// - Parameters:
///   - left: Becomes what `right` is.
///   - right: Is sent nothing until `left` changes.
/// - Returns: The handle that undoes it; letting go of it does not.
@discardableResult
public func <~> <Value>(left: RemoteProperty<Value>, right: RemoteProperty<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
}
