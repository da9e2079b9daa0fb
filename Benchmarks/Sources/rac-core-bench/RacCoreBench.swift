internal import ArgumentParser
internal import LoadGenerator

/// Measures Rac beside OpenCombine and asynchronous sequences, doing the same work in turn.
@main
struct RacCoreBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rac-core-bench",
        abstract: "Measures how fast the reactive core is; README.md tells what is measured against what.",
        discussion: """
            Times are reported, never asserted. The exit status is 1 if a send that must ask for no memory did, or if two \
            contenders did not do the same.
            """
    )

    @Option(help: "How often each measurement is taken, in turn with what it is compared with.")
    var rounds = 5

    @Option(help: ArgumentHelp("Takes only the cases whose name has this in it.", valueName: "text"))
    var only = ""

    @Option(help: ArgumentHelp("Takes only this contender of each case, for a profiler.", valueName: "library"))
    var library: String?

    @Option(help: ArgumentHelp("A line to print with the figures, such as versions.", valueName: "text"))
    var about: [String] = []

    func validate() throws {
        guard self.rounds >= 1 else { throw ValidationError("--rounds must be at least 1") }
    }

    mutating func run() async throws {
        _ = try Machine()
        for line in self.about + [Machine.summary] + Machine.warnings { Output.standardOutput("\(line)\n") }
        Output.standardOutput("\n")
        var report = CoreReport(rounds: self.rounds)
        for core in self.cases {
            Output.standardError("\(core.name)\n")
            report.add(core, await self.measure(core))
        }
        Output.standardOutput("\(report.table)\n")
        for fault in report.faults { Output.standardError("\(fault)\n") }
        if !report.faults.isEmpty { throw ExitCode(1) }
    }

    private var cases: [CoreCase] {
        let all: [CoreCase] = [
            .subject(observers: 1), .subject(observers: 10), .subject(observers: 100),
            .twoThreads, .comeAndGo, .replay, .read, .set, .modify, .propertyOfSignal, .oneWay, .twoWay,
            .coldChain, .hotChain, .combineTwo, .combineTwenty, .latest, .pingPong, .command,
        ]
        return all.filter { self.only.isEmpty || $0.name.contains(self.only) }.map { core in
            var core = core
            if let library { core.contenders.removeAll { $0.library.rawValue != library } }
            return core
        }
    }

    private func measure(_ core: CoreCase) async -> [CoreCase.Library: [Measurement]] {
        var measurements: [CoreCase.Library: [Measurement]] = [:]
        for _ in 0..<self.rounds {
            for contender in core.contenders {
                let measurement = await Measurement.of(contender, operations: core.operations)
                measurements[contender.library, default: []].append(measurement)
            }
        }
        return measurements
    }
}
