import ArgumentParser
import LoadGenerator

/// The daemon's memory for connections that are bound and do nothing.
struct IdleSuite: ParsableArguments {
    /// How long they do nothing before the memory is read.
    private static let holdSeconds = 2.0

    @Option(help: "How many connections are bound and then idle.")
    var connections = 10_000

    func validate() throws {
        guard self.connections >= 1 else { throw ValidationError("--connections must be at least 1") }
    }

    func run(on workbench: Workbench) throws {
        try workbench.machine.raiseOpenFiles(toAtLeast: self.connections + 64)
        let idle = IdleConnections(connections: self.connections, holdSeconds: Self.holdSeconds)
        let measure = {
            // Memory that a daemon has had it keeps, so each round takes a new one.
            let racd = try workbench.startDaemon()
            let result = try idle.measure(racd.server)
            try racd.stop()
            return self.figures(result)
        }
        let series = try workbench.rounds(
            of: "idle",
            headline: ("residentKiB", "KiB a connection"),
            [("racd", measure)]
        )
        guard let racd = series["racd"] else { return }
        Output.standardOutput("\(self.table(racd, workbench.options))\n")
    }

    private func figures(_ result: IdleConnections.Result) -> [String: Double] {
        let count = Double(self.connections)
        return [
            "residentKiB": (result.after.residentKiB - result.before.residentKiB) / count,
            "privateKiB": (result.after.privateKiB - result.before.privateKiB) / count,
            "residentBeforeMiB": result.before.residentKiB / 1024,
            "residentAfterMiB": result.after.residentKiB / 1024,
            "bindSeconds": result.bindSeconds,
        ]
    }

    private func table(_ series: Series, _ options: RunOptions) -> Table {
        var table = Table(
            "Idle: \(Double(self.connections).text(decimals: 0)) connections that are bound and do nothing",
            explanation: [
                "racd's memory in RAM; the kernel's own for sockets is not counted. A new racd",
                "for each of \(options.rounds) rounds.",
                "Goal: at most 15 KiB a connection.",
            ],
            columns: ["median", "lowest–highest"]
        )
        let rows: [(String, String, Int)] = [
            ("KiB a connection (VmRSS)", "residentKiB", 2),
            ("KiB a connection, private", "privateKiB", 2),
            ("MiB before", "residentBeforeMiB", 1),
            ("MiB with all of them", "residentAfterMiB", 1),
            ("seconds to connect and bind all", "bindSeconds", 2),
        ]
        for (label, figure, decimals) in rows {
            let range = series.range(figure)
            let ends = "\(range.lowerBound.text(decimals: decimals))–\(range.upperBound.text(decimals: decimals))"
            table.add(label, [series.median(figure).text(decimals: decimals), ends])
        }
        return table
    }
}
