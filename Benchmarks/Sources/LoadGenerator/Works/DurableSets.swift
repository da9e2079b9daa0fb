/// Measures the values a second that are on disk before they are acknowledged.
package struct DurableSets: Sendable {
    package var clients: Int
    /// Values of each client under way, each to a channel of its own.
    package var underWay: Int
    package var valueBytes: Int
    /// The seconds to measure, after a third as long to warm up.
    package var seconds: Double

    package init(clients: Int, underWay: Int, valueBytes: Int, seconds: Double) {
        self.clients = clients
        self.underWay = underWay
        self.valueBytes = valueBytes
        self.seconds = seconds
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        package var setsPerSecond: Double
        /// From a request to its answer.
        package var latency: Distribution
        /// Processor time of the server for a million of them.
        package var serverCPUSecondsPerMillion: Double
    }

    /// Measures once; a refusal is thrown.
    package func measure(_ server: Server) throws -> Result {
        let run = try DurableSetsRun(self, at: server)
        try run.go(seconds: self.seconds / 3)
        run.latency = Distribution()
        let (start, cpuSeconds) = try (Moment.now, server.process.cpuSeconds)
        try run.go(seconds: self.seconds)
        let seconds = start.secondsUntilNow
        let sets = Double(run.latency.count)
        return try Result(
            setsPerSecond: sets / seconds,
            latency: run.latency,
            serverCPUSecondsPerMillion: (server.process.cpuSeconds - cpuSeconds) / max(sets, 1) * 1e6
        )
    }
}
