/// How many writes a second are on disk before they are acknowledged.
package struct DurableSets: Sendable {
    /// Clients, each with one `set` under way on a channel of its own.
    package var clients: Int
    package var valueBytes: Int
    /// How long to measure, after a third as long to warm up.
    package var seconds: Double

    package init(clients: Int, valueBytes: Int, seconds: Double) {
        self.clients = clients
        self.valueBytes = valueBytes
        self.seconds = seconds
    }

    /// What one measurement gave.
    package struct Result: Sendable {
        package var setsPerSecond: Double
        /// From a `set` to its reply.
        package var latency: Distribution
        /// The share of its core that the server used.
        package var serverBusy: Double
    }

    /// Measures once; a refusal is thrown.
    ///
    /// Semantics: protocol.md, `set` with `sync`.
    package func measure(_ server: Server) throws -> Result {
        let run = try DurableSetsRun(self, at: server)
        try run.go(seconds: self.seconds / 3)
        run.latency = Distribution()
        let (start, cpuSeconds) = try (Moment.now, server.process.cpuSeconds)
        try run.go(seconds: self.seconds)
        let seconds = start.secondsUntilNow
        return try Result(
            setsPerSecond: Double(run.latency.count) / seconds,
            latency: run.latency,
            serverBusy: (server.process.cpuSeconds - cpuSeconds) / seconds
        )
    }
}
