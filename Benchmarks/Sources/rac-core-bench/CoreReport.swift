internal import LoadGenerator

/// The medians of all cases as a table, and what went wrong.
struct CoreReport {
    private(set) var table: Table
    /// The breaches, as sentences for people.
    private(set) var faults: [String] = []

    init(rounds: Int) {
        self.table = Table(
            "The reactive core: nanoseconds for one operation",
            explanation: [
                "An operation is a send, a value or an execution. OC: OpenCombine 0.14.0, which has",
                "no combineLatest, so that is built by hand; AS: an asynchronous sequence, read by",
                "the one task that feeds it. alloc: how often rac asks for memory. The medians of",
                "\(rounds) rounds, in turn. Goal: OC/rac at least 1 everywhere, 2 in most.",
            ],
            columns: ["rac", "OC", "AS", "OC/rac", "AS/rac", "alloc"]
        )
    }

    mutating func add(_ core: CoreCase, _ measurements: [CoreCase.Library: [Measurement]]) {
        let series = measurements.mapValues { rounds in
            var series = Series()
            for round in rounds { series.add(round.figures) }
            return series
        }
        let rac = series[.rac]?.median("ns")
        let others = [series[.openCombine]?.median("ns"), series[.asyncSequence]?.median("ns")]
        self.table.add(
            core.name,
            ([rac] + others).map { Self.text($0, decimals: 1) }
                + others.map { other in Self.text(rac.flatMap { rac in other.map { $0 / rac } }, decimals: 2) }
                + [Self.text(series[.rac]?.median("allocations"), decimals: 2)]
        )
        self.judge(core, measurements)
    }

    private mutating func judge(_ core: CoreCase, _ measurements: [CoreCase.Library: [Measurement]]) {
        let sums = Set(measurements.values.joined().map(\.sum))
        if sums.count > 1 { self.faults.append("\(core.name): the contenders did not do the same: \(sums.sorted())") }
        let allocations = measurements[.rac, default: []].map(\.allocationsPerOperation).max() ?? 0
        if core.allocatesNothing, allocations > 0 {
            self.faults.append("\(core.name): a send asks for memory \(allocations.text(decimals: 6)) times, must be 0")
        }
    }

    private static func text(_ figure: Double?, decimals: Int) -> String {
        figure?.text(decimals: decimals) ?? ""
    }
}
