import ArgumentParser
import LoadGenerator

/// Sets that are on disk when they are answered, and what one synchronisation for each of them would give.
struct DurableSuite: ParsableArguments {
    @Option(help: "How many clients have a set under way, one each.")
    var clients = 64

    func validate() throws {
        guard self.clients >= 1 else { throw ValidationError("--clients must be at least 1") }
    }

    func run(on workbench: Workbench) throws {
        let options = workbench.options
        let racd = try workbench.startDaemon(onAnyCore: true)
        let append = AppendLoop(path: "\(options.folder)/append")
        let sqlite = SQLiteLoop(path: "\(options.folder)/yardstick.sqlite", valueBytes: options.valueBytes)
        func sets(_ clients: Int) throws -> [String: Double] {
            let sets = DurableSets(
                clients: clients,
                valueBytes: options.valueBytes,
                seconds: options.seconds
            )
            let result = try sets.measure(racd.server)
            let figures = Self.figures(result.setsPerSecond, result.latency)
            return figures.merging(["serverBusy": result.serverBusy]) { $1 }
        }
        let series = try workbench.rounds(
            of: "durable",
            headline: ("perSecond", "sets/s"),
            [
                ("racd, \(self.clients) clients", { try sets(self.clients) }),
                ("append", { try Self.figures(append.measure(seconds: options.seconds)) }),
                ("racd, 1 client", { try sets(1) }),
                ("SQLite", { try Self.figures(sqlite.measure(seconds: options.seconds)) }),
            ]
        )
        try racd.stop()
        Output.standardOutput("\(self.table(series, options))\n")
    }

    private static func figures(_ perSecond: Double, _ latency: Distribution) -> [String: Double] {
        var latency = latency
        return ["perSecond": perSecond, "p50": latency.microseconds(at: 0.5), "p99": latency.microseconds(at: 0.99)]
    }

    private static func figures(_ repetition: Repetition) -> [String: Double] {
        self.figures(repetition.perSecond, repetition.latency)
    }

    private func table(_ series: [String: Series], _ options: RunOptions) -> Table {
        var table = Table(
            "Durable sets: on disk before they are answered",
            explanation: [
                "Each client has one set with \"sync\" under way, \(options.valueBytes)-byte values,",
                "\(options.extent). append: 100 bytes and fdatasync. SQLite: one",
                "transaction for each set, WAL, synchronous=FULL. All on the same disk.",
                "Goal: at least 10 times what one fsync for each set would give.",
            ],
            columns: ["sets/s", "lowest–highest", "p50 ms", "p99 ms"]
        )
        let many = "racd, \(self.clients) clients"
        for target in [many, "racd, 1 client", "append", "SQLite"] {
            guard let one = series[target] else { continue }
            let range = one.range("perSecond")
            let row = [
                one.median("perSecond").text(decimals: 0),
                "\(range.lowerBound.text(decimals: 0))–\(range.upperBound.text(decimals: 0))",
                (one.median("p50") / 1000).text(decimals: 3),
                (one.median("p99") / 1000).text(decimals: 3),
            ]
            table.add(target, row)
        }
        table.add("\(many) / append", [series.ratio(many, "append", of: "perSecond").text(decimals: 1)])
        table.add("\(many) / SQLite", [series.ratio(many, "SQLite", of: "perSecond").text(decimals: 1)])
        return table
    }
}
