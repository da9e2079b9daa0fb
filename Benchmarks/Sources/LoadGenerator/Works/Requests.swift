/// Measures the requests a second that a server answers over connections that are kept, one under way on each.
package struct Requests: Sendable {
    package enum Kind: Sendable {
        /// Asks for a value, which must be the one that was stored.
        case get
        /// Stores a value.
        case put
    }

    package var kind: Kind
    package var clients: Int
    package var valueBytes: Int
    /// The seconds to measure, after a third as long to warm up.
    package var seconds: Double
    /// Whether the generator has a core of its own and never sleeps.
    package var spins: Bool

    package init(_ kind: Kind, clients: Int, valueBytes: Int, seconds: Double, spins: Bool) {
        self.kind = kind
        self.clients = clients
        self.valueBytes = valueBytes
        self.seconds = seconds
        self.spins = spins
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        package var requests: Int
        package var seconds: Double
        /// From a request to its answer.
        package var latency: Distribution
        /// Processor time that the server took meanwhile.
        package var serverCPUSeconds: Double
        /// Processor time that the generator took for it, without what it spent on asking in vain.
        package var generatorCPUSeconds: Double
        /// Answers with another value than the last one that was stored, of the whole run.
        package var wrong: Int
    }

    /// Measures once; a refusal is thrown.
    package func measure(_ server: Server) throws -> Result {
        let run = try RequestsRun(self, at: server)
        try run.go(seconds: self.seconds / 3)
        var result = try run.measure(server, seconds: self.seconds)
        try run.check()
        result.wrong = run.wrong
        return result
    }
}
