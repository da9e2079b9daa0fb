internal import CAllocations
internal import LoadGenerator

/// The figures of one contender in one round.
struct Measurement: Sendable {
    /// The sum of the arrivals, equal for all contenders of a case.
    var sum: Int
    var nanosecondsPerOperation: Double
    var allocationsPerOperation: Double

    /// Warms up with a tenth of the work, then does it.
    ///
    /// Isolation: stays on the caller's thread, unless the contender itself hops.
    static func of(_ contender: CoreCase.Contender, operations: Int) async -> Measurement {
        let work = contender.prepare()
        let warmUp = await work(max(1, operations / 10))
        let allocations = callocations_of_this_thread()
        let start = Moment.now
        let sum = await work(operations)
        let seconds = start.secondsUntilNow
        return Measurement(
            sum: sum &- warmUp,
            nanosecondsPerOperation: seconds * 1e9 / Double(operations),
            allocationsPerOperation: Double(callocations_of_this_thread() - allocations) / Double(operations)
        )
    }

    var figures: [String: Double] {
        ["ns": self.nanosecondsPerOperation, "allocations": self.allocationsPerOperation]
    }
}
