/// Measures the cost of bound connections that do nothing.
package struct IdleConnections: Sendable {
    package var connections: Int
    /// The seconds that they do nothing before the server's memory is read.
    package var holdSeconds: Double

    package init(connections: Int, holdSeconds: Double) {
        self.connections = connections
        self.holdSeconds = holdSeconds
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        package var before: ProcessFigures.Memory
        package var after: ProcessFigures.Memory
        /// From the first connection until the last one is bound.
        package var bindSeconds: Double
    }

    /// Measures once; what the server asks meanwhile is answered.
    package func measure(_ server: Server) throws -> Result {
        let before = try server.process.memory
        let start = Moment.now
        let crowd = try Crowd(of: self.connections, at: server) { _ in Crowd.Wish(reads: [0]) }
        let bindSeconds = start.secondsUntilNow
        let bound = Moment.now
        while bound.secondsUntilNow < self.holdSeconds {
            _ = try crowd.receive(waiting: .milliseconds(100)) { _, arrivals in
                guard arrivals.isEmpty else { throw ProtocolError.unexpected("\(arrivals) to an idle connection") }
            }
        }
        return Result(before: before, after: try server.process.memory, bindSeconds: bindSeconds)
    }
}
