/// Measures the values a second that pass from writers to readers.
package struct Traffic: Sendable {
    package var topology: Topology
    /// The number of sends that each writer has under way.
    package var window: Int
    package var valueBytes: Int
    /// The seconds to measure, after a third as long to warm up.
    package var seconds: Double
    /// Whether the generator has a core of its own and never sleeps.
    package var spins: Bool

    package init(_ topology: Topology, window: Int, valueBytes: Int, seconds: Double, spins: Bool) {
        self.topology = topology
        self.window = window
        self.valueBytes = valueBytes
        self.seconds = seconds
        self.spins = spins
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        /// Deliveries as counted at the readers, while it was measured.
        package var deliveries: Int
        package var seconds: Double
        /// Processor time that the server took meanwhile.
        package var serverCPUSeconds: Double
        /// Processor time that the generator took for it, without what it spent on asking in vain.
        package var generatorCPUSeconds: Double
        /// Values that never came to a reader, of the whole run.
        package var missing: Int
        /// Values that came twice, out of order or where they do not belong, of the whole run.
        package var disorder: Int
    }

    /// Measures once; a refusal and the end of a connection are thrown.
    package func measure(_ server: Server) throws -> Result {
        let run = try TrafficRun(self, at: server)
        try run.go(seconds: self.seconds / 3)
        var result = try run.measure(server, seconds: self.seconds)
        try run.drain()
        result.missing = run.ledger.missing + run.ledger.gaps
        result.disorder = run.ledger.disorder
        return result
    }
}
