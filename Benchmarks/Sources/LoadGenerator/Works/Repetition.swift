/// Something that was done again and again, by one thread.
package struct Repetition: Sendable {
    package private(set) var perSecond: Double
    package private(set) var latency = Distribution()

    /// Repeats `body` for some time, after a third as long to warm up.
    init(seconds: Double, _ body: () throws -> Void) throws {
        let warmUp = Moment.now
        while warmUp.secondsUntilNow < seconds / 3 { try body() }
        let start = Moment.now
        var last = start
        self.perSecond = 0
        while last.seconds(since: start) < seconds {
            try body()
            let now = Moment.now
            self.latency.add(from: last, to: now)
            last = now
        }
        self.perSecond = Double(self.latency.count) / last.seconds(since: start)
    }
}
