import NIOCore
package import RacProtocol

/// A command that this program hosts.
///
/// As a sequence it gives the requested executions, and the cancelled ones. One task at a time takes from it. It ends
/// with ``leave()``, and fails when the connection is lost.
///
/// Semantics: protocol.md, "Commands".
package struct CommandHosting: Sendable {
    package let command: CommandID
    private let connection: DaemonConnection
    private let feed: NIOLoopBound<CommandFeed<HostingQueue>>

    init(_ command: CommandID, connection: DaemonConnection, feed: NIOLoopBound<CommandFeed<HostingQueue>>) {
        self.command = command
        self.connection = connection
        self.feed = feed
    }

    /// Sends an execution's caller a value, or the end; waits while the socket takes nothing.
    ///
    /// Events of an execution that is over are dropped.
    ///
    /// - Throws: ``ClientError`` with code `tooLarge`, `connectionLost` or `cancelled`.
    package func tell(_ event: ExecutionEvent, of execution: ExecutionID) async throws(ClientError) {
        try await self.connection.say(.progress(execution, event))
    }

    /// Says whether the command may be executed, for all that this program knows.
    ///
    /// - Throws: ``ClientError`` with code `connectionLost` or `cancelled`.
    package func enable(_ isEnabled: Bool) async throws(ClientError) {
        try await self.connection.say(.enabled(self.command, isEnabled))
    }

    /// Hosts the command no longer: what is running fails with `host-lost`.
    package func leave() async {
        await self.connection.leaveHost(of: self.command, self.feed)
    }
}

extension CommandHosting: AsyncSequence {
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let hosting: CommandHosting

        package mutating func next() async throws(ClientError) -> HostingEvent? {
            try await self.next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> HostingEvent? {
            try await self.hosting.connection.nextEvent(of: self.hosting.feed)
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(hosting: self)
    }
}
