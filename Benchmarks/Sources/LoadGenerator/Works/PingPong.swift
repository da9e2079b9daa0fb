/// Measures the time of one message through a server, one at a time.
package struct PingPong: Sendable {
    /// Round trips that are measured, after a tenth as many to warm up.
    package var trips: Int
    package var valueBytes: Int

    package init(trips: Int, valueBytes: Int) {
        self.trips = trips
        self.valueBytes = valueBytes
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        /// One pass through the server: a client sends, the other one has it.
        package var pass: Distribution
        /// Processor time that the server took for all passes, those of the warming up too.
        package var serverCPUSeconds: Double
        package var passes: Int
    }

    /// Measures two clients, each of which sends when it has got the other's value.
    package func measure(_ server: Server) throws -> Result {
        var rally = try Rally(server, valueBytes: self.valueBytes)
        let cpuSeconds = try server.process.cpuSeconds
        for _ in 0..<self.trips / 10 { _ = try rally.trip() }
        var pass = Distribution(capacity: 2 * self.trips)
        for _ in 0..<self.trips {
            let (start, middle, end) = try rally.trip()
            pass.add(from: start, to: middle)
            pass.add(from: middle, to: end)
        }
        return Result(
            pass: pass,
            serverCPUSeconds: try server.process.cpuSeconds - cpuSeconds,
            passes: 2 * (self.trips + self.trips / 10)
        )
    }
}
