/// How many values a second one channel delivers: one writer, many binders.
package struct FanOut: Sendable {
    package var binders: Int
    /// How many sends the writer has under way.
    package var window: Int
    package var valueBytes: Int
    /// How long to measure, after a third as long to warm up.
    package var seconds: Double
    /// Whether each binder's values are read and compared with what was sent; else frames are counted by their headers.
    package var verifies: Bool
    /// Whether the generator has a core of its own and never sleeps.
    package var spins: Bool

    package init(binders: Int, window: Int, valueBytes: Int, seconds: Double, verifies: Bool, spins: Bool) {
        self.binders = binders
        self.window = window
        self.valueBytes = valueBytes
        self.seconds = seconds
        self.verifies = verifies
        self.spins = spins
    }

    /// What one measurement gave.
    package struct Result: Sendable {
        /// Deliveries as counted at the binders, while it was measured.
        package var deliveries: Int
        package var seconds: Double
        /// Processor time that the server took meanwhile.
        package var serverCPUSeconds: Double
        /// Processor time that the generator took for it, without what it spent on asking in vain.
        package var generatorCPUSeconds: Double
        /// Values that never came to a binder, of the whole run.
        package var missing: Int
        /// Values that came twice, out of order or changed, as far as that was verified.
        package var disorder: Int
    }

    /// Measures once.
    ///
    /// Semantics: protocol.md, `next` and `ack`. An echo to the writer, a refusal and the end of a connection are thrown.
    package func measure(_ server: Server) throws -> Result {
        let run = try FanOutRun(self, at: server)
        try run.send()
        try run.go(seconds: self.seconds / 3)
        let (deliveries, busySeconds) = (run.deliveries, run.busySeconds)
        let (start, thread, cpuSeconds) = try (Moment.now, Moment.ofThisThread, server.process.cpuSeconds)
        try run.go(seconds: self.seconds)
        let seconds = start.secondsUntilNow
        // The thread's clock is a system call that costs a quarter of a reading, so it is not asked at each turn: other
        // programs are taken to interrupt busy turns and idle ones alike.
        let busyShare = (run.busySeconds - busySeconds) / seconds
        var result = try Result(
            deliveries: run.deliveries - deliveries,
            seconds: seconds,
            serverCPUSeconds: server.process.cpuSeconds - cpuSeconds,
            generatorCPUSeconds: busyShare * Moment.ofThisThread.seconds(since: thread),
            missing: 0,
            disorder: 0
        )
        try run.drain()
        result.missing = run.missing
        result.disorder = run.disorder
        return result
    }
}
