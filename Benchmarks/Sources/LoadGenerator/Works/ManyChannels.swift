/// Measures the cost of channels with a value each: at the start, in memory, and for a watcher.
package struct ManyChannels: Sendable {
    package var channels: Int
    package var valueBytes: Int

    package init(channels: Int, valueBytes: Int) {
        self.channels = channels
        self.valueBytes = valueBytes
    }

    /// The result of one measurement.
    package struct Result: Sendable {
        package var fillSeconds: Double
        /// From the start of the program until it had taken a client: without channels, and with them.
        package var emptyStartSeconds, startSeconds: Double
        /// Memory of the server behind such a start: without channels, and with them.
        package var empty, full: ProcessFigures.Memory
        /// Until a new client had got all values.
        package var watchSeconds: Double
        /// Values that did not arrive.
        package var missing: Int
    }

    /// Measures once; `start` starts the server, with no data at first and then with the same data again.
    package func measure(_ start: () throws -> ServerProcess) throws -> Result {
        let first = try start()
        let empty = try first.server.process.memory
        let fill = Moment.now
        let store = try Store(first.server)
        try store.prepare()
        try store.fill(channels: self.channels, valueBytes: self.valueBytes)
        let fillSeconds = fill.secondsUntilNow
        try first.stop()
        let second = try start()
        let full = try second.server.process.memory
        let watch = Moment.now
        let told = try Store(second.server).watch(channels: self.channels)
        let watchSeconds = watch.secondsUntilNow
        try second.stop()
        return Result(
            fillSeconds: fillSeconds,
            emptyStartSeconds: first.startSeconds,
            startSeconds: second.startSeconds,
            empty: empty,
            full: full,
            watchSeconds: watchSeconds,
            missing: self.channels - told
        )
    }
}
