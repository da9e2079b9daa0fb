import NIOCore
import RacProtocol

/// How a command is, and how its executions fail.
///
/// As a sequence it brings the present state first; a slow program gets the newest. One task at a time takes from it. It
/// ends with ``leave()``, and fails when the connection is lost.
///
/// Semantics: protocol.md, "Enabled and executing".
package struct CommandObservation: Sendable {
    private let command: CommandID
    private let connection: DaemonConnection
    private let feed: NIOLoopBound<CommandFeed<ObservationQueue>>

    init(_ command: CommandID, connection: DaemonConnection, feed: NIOLoopBound<CommandFeed<ObservationQueue>>) {
        self.command = command
        self.connection = connection
        self.feed = feed
    }

    /// Observes no longer; what has come and was not taken is still taken.
    package func leave() async {
        await self.connection.leaveObserver(of: self.command, self.feed)
    }
}

extension CommandObservation: AsyncSequence {
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let observation: CommandObservation

        package mutating func next() async throws(ClientError) -> ObservationEvent? {
            try await self.next(isolation: nil)
        }

        package mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws(ClientError) -> ObservationEvent? {
            try await self.observation.connection.nextEvent(of: self.observation.feed)
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(observation: self)
    }
}
