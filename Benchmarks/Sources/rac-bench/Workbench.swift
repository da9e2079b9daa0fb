import FoundationEssentials
import LoadGenerator

/// Starts the servers, tells how it goes and keeps the single figures.
final class Workbench {
    let options: RunOptions
    let machine: Machine
    private let json: JSONLines?
    private var started = 0

    init(_ options: RunOptions) throws {
        self.options = options
        self.machine = try Machine()
        self.json = try options.json.map { try JSONLines(path: $0) }
        try FileManager.default.createDirectory(atPath: options.folder, withIntermediateDirectories: true)
        let pinning =
            if let server = self.machine.serverCore, let generator = self.machine.generatorCore {
                "servers on core \(server), load generator on core \(generator)"
            } else {
                "servers and load generator share one core: expect figures far below what is possible"
            }
        let about = options.about + [Machine.summary, pinning] + Machine.warnings
        Output.standardOutput(about.joined(separator: "\n") + "\n\n")
        try self.json?.append(JSONLines.Setting(about: about))
    }

    /// Starts racd with data of its own, or with none if it is told to keep nothing.
    ///
    /// On any core its writer works beside its event loop, else they take turns on the servers' core.
    func startDaemon(onAnyCore: Bool = false) throws -> ServerProcess {
        self.started += 1
        let data = "\(self.options.folder)/data-\(self.started)"
        let command = [self.options.racd, "serve", "--listen", "127.0.0.1:0"] + self.options.racdArgument
        let keepsNothing = self.options.racdArgument.contains("--memory")
        let arguments = keepsNothing ? command : command + ["--data", data]
        return try self.start(.racd, arguments, core: onAnyCore ? nil : self.machine.serverCore)
    }

    /// Starts one of the servers that are built together with this program.
    func startYardstick(_ kind: Server.Kind, _ name: String) throws -> ServerProcess {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = program[..<(program.lastIndex(of: "/") ?? program.startIndex)]
        return try self.start(kind, ["\(folder)/\(name)"], core: self.machine.serverCore)
    }

    /// Takes each of `measurements` once per round, in turn, so that slow changes of the machine meet all alike.
    ///
    /// What a measurement throws ends them all. The figure that `headline` names is told at once, with its unit.
    func rounds(
        of benchmark: String,
        headline: (figure: String, unit: String),
        _ measurements: [(target: String, measure: () throws -> [String: Double])]
    ) throws -> [String: Series] {
        var series: [String: Series] = [:]
        for round in 1...self.options.rounds {
            for (target, measure) in measurements {
                let figures = try measure()
                series[target, default: Series()].add(figures)
                let figure = figures[headline.figure, default: 0].text(decimals: 2)
                Self.tell("\(benchmark) \(round)/\(self.options.rounds)  \(target): \(figure) \(headline.unit)")
                let record = JSONLines.Measurement(benchmark: benchmark, target: target, round: round, figures: figures)
                try self.json?.append(record)
            }
        }
        return series
    }

    private func start(_ kind: Server.Kind, _ command: [String], core: Int?) throws -> ServerProcess {
        let name = command[0].split(separator: "/").last ?? ""
        let log = "\(self.options.folder)/\(name).log"
        return try ServerProcess(kind, command: command, core: core, log: log)
    }

    /// Progress goes where it does not get between the tables.
    private static func tell(_ line: String) {
        Output.standardError(line + "\n")
    }
}
