import ArgumentParser
import LoadGenerator

/// The fan-out through racd and through the relay.
struct FanOutSuite: ParsableArguments {
    @Option(help: "How many clients are bound besides the writer.")
    var binders = 1000

    @Option(help: "How many sends the writer has under way.")
    var window = 32

    @Flag(help: "Read every value: order, no loss, no echo. Counts fewer a second.")
    var verify = false

    func validate() throws {
        guard self.binders >= 1, self.window >= 1 else {
            throw ValidationError("--binders and --window must be at least 1")
        }
    }

    func run(on workbench: Workbench) throws {
        let options = workbench.options
        try workbench.machine.raiseOpenFiles(toAtLeast: self.binders + 64)
        let racd = try workbench.startDaemon()
        let relay = try workbench.startYardstick(.relay, "relay")
        let fanOut = FanOut(
            binders: self.binders,
            window: self.window,
            valueBytes: options.valueBytes,
            seconds: options.seconds,
            verifies: self.verify,
            spins: !workbench.machine.isShared
        )
        let series = try workbench.rounds(
            of: "fan-out",
            headline: ("millionPerSecond", "million deliveries/s"),
            [
                ("racd", { try Self.figures(fanOut.measure(racd.server)) }),
                ("relay", { try Self.figures(fanOut.measure(relay.server)) }),
            ]
        )
        try racd.stop()
        try relay.stop()
        Output.standardOutput("\(self.table(series, options))\n")
        try self.judge(series)
    }

    private static func figures(_ result: FanOut.Result) -> [String: Double] {
        let millions = Double(result.deliveries) / 1e6
        let rate = millions / result.seconds
        return [
            "millionPerSecond": rate,
            "cpuSecondsPerMillion": result.serverCPUSeconds / millions,
            "serverBusy": result.serverCPUSeconds / result.seconds,
            "generatorCPUSecondsPerMillion": result.generatorCPUSeconds / millions,
            "generatorBusy": result.generatorCPUSeconds / result.seconds,
            "missing": Double(result.missing),
            "disorder": Double(result.disorder),
        ]
    }

    private func table(_ series: [String: Series], _ options: RunOptions) -> Table {
        var table = Table(
            "Fan-out: million deliveries a second, counted at the binders",
            explanation: [
                "1 writer with \(self.window) sends under way, \(self.binders) binders of one channel,",
                "\(options.valueBytes)-byte values, \(options.extent). The relay, in C, parses nothing.",
                "Goal: 2.5 million/s on one event loop. Last: how busy server and generator were.",
            ],
            columns: ["median", "lowest–highest", "CPU s/million", "server", "generator"]
        )
        for (target, label) in [("racd", "racd"), ("relay", "relay")] {
            guard let one = series[target] else { continue }
            let range = one.range("millionPerSecond")
            let row = [
                one.median("millionPerSecond").text(decimals: 2),
                "\(range.lowerBound.text(decimals: 2))–\(range.upperBound.text(decimals: 2))",
                one.median("cpuSecondsPerMillion").text(decimals: 3),
                "\((100 * one.median("serverBusy")).text(decimals: 0)) %",
                "\((100 * one.median("generatorBusy")).text(decimals: 0)) %",
            ]
            table.add(label, row)
        }
        table.add("racd / relay", [series.ratio("racd", "relay", of: "millionPerSecond").text(decimals: 2)])
        return table
    }

    /// Says what did not come as it should; with `--verify` that is a failure.
    private func judge(_ series: [String: Series]) throws {
        var isGood = true
        for (target, one) in series.sorted(by: { $0.key < $1.key }) {
            for (figure, fault) in [("missing", "never came"), ("disorder", "came twice or out of order")] {
                let most = one.range(figure).upperBound
                guard most > 0 else { continue }
                isGood = false
                Output.standardOutput("  \(target): up to \(most.text(decimals: 0)) deliveries of a round \(fault)\n\n")
            }
        }
        guard self.verify else { return }
        guard isGood else { throw ExitCode.failure }
        Output.standardOutput(
            "  Verified: every value came to every binder, once, in order and never to its writer.\n\n"
        )
    }
}
