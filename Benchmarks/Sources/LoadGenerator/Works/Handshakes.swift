/// Measures the new connections a second that a server takes, each with a full handshake of TLS.
///
/// A connection is taken when the server has answered its first message. Then it ends, and another one begins.
package struct Handshakes: Sendable {
    /// The number of connections that are on their way to be taken.
    package var underWay: Int
    /// The seconds to measure, after a third as long to warm up.
    package var seconds: Double
    /// Whether the generator has a core of its own and never sleeps.
    package var spins: Bool

    package init(underWay: Int, seconds: Double, spins: Bool) {
        self.underWay = underWay
        self.seconds = seconds
        self.spins = spins
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        package var connections: Int
        package var seconds: Double
        /// From the call that connects until the server has taken the connection.
        package var latency: Distribution
        /// Processor time that the server took meanwhile.
        package var serverCPUSeconds: Double
        /// Processor time that the generator took for it, without what it spent on asking in vain.
        package var generatorCPUSeconds: Double
    }

    /// Measures once; a refusal and the end of a connection are thrown.
    package func measure(_ server: Server) throws -> Result {
        let run = try HandshakesRun(self, at: server)
        try run.go(seconds: self.seconds / 3)
        return try run.measure(seconds: self.seconds)
    }
}
