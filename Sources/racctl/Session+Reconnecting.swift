import RacClient

extension Session {
    /// Does something over a connection, and again over another one each time when it is lost.
    ///
    /// - Parameter body: Throws when the connection is lost; what else it throws ends the command.
    /// - Throws: What `body` throws the first time, before it has lost a connection, and what is no loss later on.
    func withConnections(_ body: (Connection) async throws -> Void) async throws {
        var connection = self.connection
        var pauses = Pauses()
        var wasLost = false
        while true {
            let start = ContinuousClock.now
            do {
                return try await body(connection)
            } catch let error as ClientError {
                // A daemon that has not noticed the loss yet still has the old connection's commands.
                guard error.isLoss || (wasLost && error.code == .alreadyHosted) else { throw error }
                if error.isLoss { self.tell(error) }
            }
            wasLost = true
            if ContinuousClock.now - start > Pauses.longest { pauses = Pauses() }
            await connection.close()
            connection = try await self.connect(&pauses)
        }
    }

    private func connect(_ pauses: inout Pauses) async throws -> Connection {
        while true {
            try await Task.sleep(for: pauses.next())
            do {
                return try await self.another()
            } catch {
                guard error.isLoss || error.code == .timedOut else { throw error }
            }
        }
    }

    private func tell(_ error: ClientError) {
        var failure = CommandFailure(error)
        failure.message += "; connecting again"
        failure.report(as: self.format)
    }
}

/// The pauses between two attempts: at random, so that not everybody comes at once, below a bound that grows.
private struct Pauses {
    static let longest = Duration.seconds(30)
    private var bound = Duration.milliseconds(100)

    mutating func next() -> Duration {
        defer { self.bound = min(self.bound * 2, Self.longest) }
        return self.bound * Double.random(in: 0...1)
    }
}

extension ClientError {
    /// Whether the daemon may be there again later.
    fileprivate var isLoss: Bool {
        [.connectionLost, .unreachable, .shuttingDown].contains(self.code)
    }
}
