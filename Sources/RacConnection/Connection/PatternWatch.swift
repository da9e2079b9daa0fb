import NIOCore

/// All channels whose names match a pattern: first how they are, then how they change.
///
/// One task at a time takes from it. Of each channel a slow program gets the newest state only.
///
/// Semantics: protocol.md, "Watches".
package struct PatternWatch: Sendable {
    private let connection: DaemonConnection
    private let pattern: NIOLoopBound<WatchFeed>

    init(connection: DaemonConnection, pattern: NIOLoopBound<WatchFeed>) {
        self.connection = connection
        self.pattern = pattern
    }

    /// Watches no longer; what has come and was not taken is still taken.
    package func leave() async {
        await self.connection.leave(self.pattern)
    }
}

extension PatternWatch: AsyncSequence {
    package struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let watch: PatternWatch
        /// The events that have come together, the next one last.
        private var taken: [WatchEvent] = []

        fileprivate init(_ watch: PatternWatch) {
            self.watch = watch
        }

        package mutating func next() async throws(ClientError) -> WatchEvent? {
            try await self.next(isolation: nil)
        }

        package mutating func next(isolation actor: isolated (any Actor)?) async throws(ClientError) -> WatchEvent? {
            if self.taken.isEmpty {
                self.taken = try await self.watch.connection.nextEvents(of: self.watch.pattern).reversed()
            }
            return self.taken.popLast()
        }
    }

    package func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(self)
    }
}
