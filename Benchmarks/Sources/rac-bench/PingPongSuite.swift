import ArgumentParser
import LoadGenerator

/// The time of one message through racd, through an echo server and through the relay.
struct PingPongSuite: ParsableArguments {
    private static let figures = ["p50", "p99", "p99.9", "mean"]

    @Option(help: "How many round trips a measurement takes.")
    var trips = 20_000

    func validate() throws {
        guard self.trips >= 10 else { throw ValidationError("--trips must be at least 10") }
    }

    func run(on workbench: Workbench) throws {
        let racd = try workbench.startDaemon()
        let echo = try workbench.startYardstick(.echo, "nio-echo")
        let relay = try workbench.startYardstick(.relay, "relay")
        let pingPong = PingPong(trips: self.trips, valueBytes: workbench.options.valueBytes)
        let series = try workbench.rounds(
            of: "ping-pong",
            headline: ("pass p50", "µs a pass"),
            [
                ("racd", { try Self.figures(pingPong.measurePair(racd.server)) }),
                ("nio-echo", { try Self.figures(pingPong.measureEcho(echo.server)) }),
                ("relay", { try Self.figures(pingPong.measurePair(relay.server)) }),
            ]
        )
        for server in [racd, echo, relay] { try server.stop() }
        Output.standardOutput("\(self.table(series, workbench.options))\n")
    }

    private static func figures(_ result: PingPong.Result) -> [String: Double] {
        var figures: [String: Double] = [:]
        for (name, distribution) in [("pass", result.pass), ("trip", result.trip)] {
            var distribution = distribution
            figures["\(name) p50"] = distribution.microseconds(at: 0.5)
            figures["\(name) p99"] = distribution.microseconds(at: 0.99)
            figures["\(name) p99.9"] = distribution.microseconds(at: 0.999)
            figures["\(name) mean"] = distribution.meanMicroseconds
        }
        return figures
    }

    private func table(_ series: [String: Series], _ options: RunOptions) -> Table {
        var table = Table(
            "Ping-pong: microseconds, one message at a time",
            explanation: [
                "A pass is one message into the server and one out of it. racd: a client sends,",
                "the other one has it. nio-echo: a client sends, the same one has it back. Both",
                "with the same frames, one event loop, and the same client code. A round trip",
                "between two clients is two passes. The median of \(options.rounds) × "
                    + "\(Double(self.trips).text(decimals: 0)) round trips.",
                "Goal: a pass takes at most 1.3 times as long as an echo.",
            ],
            columns: Self.figures
        )
        table.add("racd, one pass", Self.row(series["racd"], "pass"))
        table.add("nio-echo, one echo", Self.row(series["nio-echo"], "pass"))
        let ratios = Self.figures.map { series.ratio("racd", "nio-echo", of: "pass \($0)").text(decimals: 2) }
        table.add("racd / nio-echo", ratios)
        table.add("relay in C, one pass", Self.row(series["relay"], "pass"))
        table.add("racd, round trip", Self.row(series["racd"], "trip"))
        return table
    }

    private static func row(_ series: Series?, _ name: String) -> [String] {
        self.figures.map { figure in series?.median("\(name) \(figure)").text(decimals: 1) ?? "" }
    }
}
