import NIOCore
package import RacProtocol

/// One terminal of a channel, for one program.
///
/// As a sequence it brings everybody else's values and ends with the channel; one task at a time takes from it.
///
/// Semantics: protocol.md, "Bindings"; docs/semantics.md, channel-1 to channel-5.
package struct ChannelBinding: Sendable {
    /// The state of the channel at the time of binding.
    package let bound: Bound
    private let connection: DaemonConnection
    private let terminal: NIOLoopBound<Terminal>

    init(_ bound: Bound, connection: DaemonConnection, terminal: NIOLoopBound<Terminal>) {
        self.bound = bound
        self.connection = connection
        self.terminal = terminal
    }

    /// Sends values to everybody else; the task waits while too many sends are on their way.
    ///
    /// Sends of one task arrive in their order. A send that the daemon does not apply comes back as
    /// ``BindingEvent/refused(_:)``.
    ///
    /// - Parameters:
    ///   - values: The values, one at least.
    ///   - sync: Whether each is acknowledged only when it is on the daemon's disk.
    /// - Returns: The number of values that were sent; the next one has to wait, or cannot be sent.
    /// - Throws: ``ClientError`` about the first value, with code `terminated`, `tooLarge`, `connectionLost` or `cancelled`.
    package func send(_ values: ArraySlice<JSONText>, sync: Bool = false) async throws(ClientError) -> Int {
        try await self.connection.send(values, sync: sync, into: self.terminal)
    }

    /// Sends one value, and throws as the form for several does.
    package func send(_ value: JSONText, sync: Bool = false) async throws(ClientError) {
        _ = try await self.send([value][...], sync: sync)
    }

    /// The rest of this binding after a loss, for the next connection of the same session.
    package func rest() async -> BindingRest {
        await self.connection.rest(of: self.terminal)
    }

    /// Whether both are of one connection.
    package func isSame(as other: ChannelBinding) -> Bool {
        self.connection === other.connection && self.bound.terminal == other.bound.terminal
    }

    /// Waits until the daemon has answered every send.
    ///
    /// - Throws: ``ClientError`` with code `connectionLost` or `cancelled`, or `outcomeUnknown` if the binding ended before
    ///   all answers came.
    package func settled() async throws(ClientError) {
        try await self.connection.settled(self.terminal)
    }

    /// Ends the connection without a bye, so that its wills are applied.
    package func abandon() async {
        await self.connection.abandon()
    }

    /// Unbinds; what has come and was not taken is still taken.
    package func leave() async {
        await self.connection.leave(self.terminal)
    }
}

extension ChannelBinding: AsyncSequence {
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let binding: ChannelBinding

        package mutating func next() async throws(ClientError) -> BindingEvent? {
            try await self.next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> BindingEvent? {
            try await self.binding.connection.nextEvent(of: self.binding.terminal)
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(binding: self)
    }
}
