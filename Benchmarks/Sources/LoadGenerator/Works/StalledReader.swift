/// Measures the effect of a stalled reader on the others and the server, and its values when it reads again.
package struct StalledReader: Sendable {
    /// Room at its socket: little, so that it is the server that has to keep what is not read.
    private static let bufferBytes: Int32 = 4096

    /// The traffic of one channel, to readers that read.
    package var traffic: Traffic

    package init(_ traffic: Traffic) {
        self.traffic = traffic
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        /// The others' deliveries a second while all read, and while one does not.
        package var before, meanwhile: Double
        /// By how much the server's memory grew at most meanwhile.
        package var grownKiB: Double
        /// Values that came when it read again, and those that were left out.
        package var got, skipped: Int
        /// Whether the last one that came is the last one that was sent.
        package var hasNewest: Bool
        /// Whether the server had ended its connection.
        package var isLost: Bool
        /// The deliveries that the others missed or got out of order.
        package var faults: Int
    }

    package func measure(_ server: Server) throws -> Result {
        let run = try TrafficRun(self.traffic, at: server, bystanderBuffer: Self.bufferBytes)
        try run.go(seconds: self.traffic.seconds / 3)
        let before = try run.measure(server, seconds: self.traffic.seconds)
        let memory = try server.process.peakResidentKiB
        try run.stall()
        let meanwhile = try run.measure(server, seconds: self.traffic.seconds)
        let grown = try server.process.peakResidentKiB - memory
        try run.drain()
        try run.resume()
        let bystander = run.bystander
        return Result(
            before: Double(before.deliveries) / before.seconds,
            meanwhile: Double(meanwhile.deliveries) / meanwhile.seconds,
            grownKiB: grown,
            got: bystander?.got ?? 0,
            skipped: bystander?.skipped ?? 0,
            hasNewest: bystander?.newest == run.ledger.sent,
            isLost: bystander?.isLost ?? true,
            faults: run.ledger.missing + run.ledger.gaps + run.ledger.disorder
        )
    }
}
