import NIOCore
public import Rac
import RacProtocol

extension RemoteProperty {
    /// Changes the value depending on the present one, without losing another program's change.
    ///
    /// The whole value goes out: **a field that `Value` does not have is deleted from the channel**. Calls of one client
    /// stand in line, so each takes one round trip unless another program is faster.
    ///
    /// The value is shown here once the daemon has it. A property without a value waits for its first one, and each other
    /// one for the answers to its open writes, for `ClientConfiguration.replyTimeout` at most. A property with a default
    /// has a value as soon as the daemon has answered. Where the daemon has lost the value, or the channel was deleted, the
    /// present one is the one that is shown here.
    ///
    /// - Parameter transform: Changes a copy; runs again if another program was faster.
    /// - Returns: The value that was written.
    /// - Throws: As ``compareAndSet(_:ifUnchangedSince:)``, but never `conflict`. Without a value, or a connection,
    ///   `ClientError` with code `timedOut`.
    @discardableResult
    public nonisolated(nonsending) func modify(_ transform: (inout Value) -> Void) async throws(ClientError) -> Value {
        let deadline = ContinuousClock.now + self.handle.loop.replyTimeout
        try await self.handle.changing.enter()
        defer { self.handle.changing.leave() }
        var (present, revision) = try await self.settledValue(before: deadline)
        while true {
            var value = present
            transform(&value)
            do throws(ClientError) {
                try await self.compareAndSet(value, ifUnchangedSince: revision)
                return value
            } catch {
                guard error.code == .conflict, let newer = error.revision else { throw error }
                if let text = error.value {
                    present = try self.handle.coding.decode(text)
                } else if newer != .never {
                    throw error
                }
                revision = newer
            }
        }
    }

    /// The value of the daemon, with its revision, if it comes in the time for the answer to a call.
    ///
    /// A task whose turn comes after its time still goes on while there is a connection.
    private func settledValue(before deadline: ContinuousClock.Instant) async throws(ClientError) -> (Value, Revision) {
        if let error = self.handle.state.refuseLate() { throw error }
        let isConnected = self.handle.isConnected
        guard isConnected || deadline > .now else { throw self.noValue }
        if self.handle.state.offer == nil, let current = self.current, let revision = current.revision {
            return (current.value, revision)
        }
        let end = isConnected ? .now + self.handle.loop.replyTimeout : deadline
        let outcome = await withTaskGroup(of: Result<(Value, Revision), ClientError>?.self) { group in
            group.addTask {
                do throws(ClientError) {
                    return .success(try await self.settledValue())
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                try? await Task.sleep(until: end)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        guard let outcome else { throw Task.isCancelled ? .cancelledWait : self.noValue }
        return try outcome.get()
    }

    private var noValue: ClientError {
        let timeout = self.handle.loop.replyTimeout
        let reason =
            switch (self.handle.isConnected, self.value) {
            case (false, _): "there is no connection"
            case (true, nil): "the channel has no value to change: set it first, or give the property a default"
            case (true, _): "a write has no answer"
            }
        return ClientError(.timedOut, "\(self.name) could not be changed within \(TimeAmount(timeout).text): \(reason)")
    }

    /// The value of the daemon, with its revision, once no write of this program is open.
    private func settledValue() async throws(ClientError) -> (Value, Revision) {
        _ = try await self.firstValue()
        let news = Rac.merge(self.handle.signal.materialize().map { _ in }, self.handle.state.news)
        for await _ in news.values(keepingNewest: 1) {
            try await self.settled()
            if let error = self.handle.state.refuseLate() { throw error }
            if let current = self.current, let revision = current.revision { return (current.value, revision) }
        }
        throw .cancelledWait
    }
}

extension RemoteProperty: StateSource {
    /// The property without a setter: nil before the first value.
    ///
    /// It keeps the channel bound. When the channel ends, however it ends, this completes and keeps the last value.
    public var readOnly: ReadOnlyProperty<Value?> {
        let handle = self.handle
        return ReadOnlyProperty<Value?>(
            read: { handle.mirror.value },
            signal: Signal { sink -> Subscription in
                if handle.mirror.value == nil { sink.send(nil) }
                return handle.signal.observe(value: { sink.send($0) }, end: { _ in sink.complete() })
            }
        )
    }

    /// A function of this property, computed at each reading and for each observer.
    ///
    /// It is that of `Optional`. For a function of the optional value take ``readOnly``:
    ///
    ///     let shown = title.readOnly.map { $0 ?? "no title yet" }
    ///
    /// - Parameter transform: Called with the value of that moment, if there is one.
    /// - Returns: A view of this property, as ``readOnly``: nil before the first value.
    public func map<Output: Sendable>(
        _ transform: @escaping @Sendable (Value) -> Output
    ) -> ReadOnlyProperty<Output?> {
        self.readOnly.map { $0.map(transform) }
    }
}
