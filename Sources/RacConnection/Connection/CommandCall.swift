import NIOCore
package import RacProtocol

/// An execution that this program asked for.
///
/// As a sequence it brings its values and then its end; one task at a time takes from it. It fails when the connection is
/// lost: then the daemon cancels the execution.
///
/// Semantics: protocol.md, "Executions".
package struct CommandCall: Sendable {
    package let execution: ExecutionID
    private let connection: DaemonConnection
    private let feed: NIOLoopBound<CommandFeed<CallQueue>>

    init(_ execution: ExecutionID, connection: DaemonConnection, feed: NIOLoopBound<CommandFeed<CallQueue>>) {
        self.execution = execution
        self.connection = connection
        self.feed = feed
    }

    /// Asks the host to give up; what follows is how the execution ended.
    package func cancel() async {
        await self.connection.cancel(self.execution)
    }

    /// Cancels, and wants to hear nothing more.
    package func leave() async {
        await self.connection.leaveCall(of: self.execution, self.feed)
    }
}

extension CommandCall: AsyncSequence {
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let call: CommandCall

        package mutating func next() async throws(ClientError) -> ExecutionEvent? {
            try await self.next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> ExecutionEvent?
        {
            try await self.call.connection.nextEvent(of: self.call.feed)
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(call: self)
    }
}
