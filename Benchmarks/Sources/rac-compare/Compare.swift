import ArgumentParser
import LoadGenerator

/// Measures racd and other servers at the same work, in turn.
@main
struct Compare: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Measures racd, mosquitto, NATS, Redis, webdis and etcd at the same work, in turn.",
        discussion: """
            README.md tells what is measured and how. Every server is started anew for each measurement, on loopback, with \
            a scratch folder, and ends with it. Every value that is delivered is read and counted: the exit status is 1 \
            if any was missing, came twice or out of order, or if a measurement could not be taken. Figures are reported, \
            never judged.
            """
    )

    @OptionGroup var options: RunOptions

    func run() throws {
        let workbench = try Workbench(self.options)
        var report = Report()
        for work in self.works(spins: !workbench.machine.isShared) where self.options.chosenWorks.contains(work.name) {
            let results = try work.cells.map { try workbench.measure($0, of: work) }
            let text = report.add(work, results, isRival: workbench.isRival)
            Output.standardOutput(text + "\n")
        }
        if let chart = self.options.chart {
            let svg = report.chart(workbench.about, transport: self.options.transportName)
            try Output.write(svg, toFile: chart)
        }
        if report.hasFaults { throw ExitCode.failure }
    }

    private func works(spins: Bool) -> [Work] {
        [
            .fanOut(self.options, spins: spins), .pairs(self.options, spins: spins), .pingPong(self.options),
            .handshakes(self.options, spins: spins), .durable(self.options), .idle(self.options),
            .random(self.options, spins: spins), .stalled(self.options, spins: spins), .channels(self.options),
            .http(self.options, spins: spins),
        ]
    }
}
