import ArgumentParser
import FoundationEssentials
import Glibc
import RacSimulation

/// Runs histories of clients, network, daemon and disk that a seed makes up, and reports the first broken promise.
@main
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rac-simulate",
        abstract: "Runs made-up histories of racd and its clients, and checks what docs/guarantees.md promises.",
        discussion: """
            Everything happens in one process and on virtual time; the same seed gives the same history on every machine. \
            A history that breaks a promise is made as short as it can be, and told line by line.

            Exit codes: 0 every promise was kept, 1 one was broken, 64 usage.
            """
    )

    @Option(help: "The seed of the first history.")
    var seed: UInt64 = .random(in: 1...999_999_999)

    @Option(help: "How much happens in each history.")
    var steps = 60

    @Option(help: "How many histories to run, with one seed after the other.")
    var histories = 1

    @Flag(help: "Close every daemon: clients have principals, and the rules change. Else one in four is closed.")
    var closed = false

    @Option(help: "Run the plan in this file instead of one that a seed makes up.", completion: .file())
    var plan: String?

    @Option(help: "Write the plan of a history that fails to this file, made short.", completion: .file())
    var keep: String?

    @Option(help: "Make this mistake on purpose, to see it found.")
    var sabotage: Sabotage?

    @Flag(help: "Go on after a history that fails, and report each in one line.")
    var all = false

    @Flag(help: "Print the history line by line, also if no promise was broken.")
    var timeline = false

    @Flag(help: "Print a failing history as it was, and not a shorter one.")
    var whole = false

    func validate() throws {
        guard (1...1_000_000).contains(self.steps) else { throw ValidationError("--steps must be 1 to 1000000") }
        guard self.histories > 0 else { throw ValidationError("--histories must be at least 1") }
    }

    func run() throws {
        if let plan = self.plan { return try self.run(plan) }
        print("seed \(self.seed)")
        var failures = 0
        for number in 0..<UInt64(self.histories) {
            let seed = self.seed &+ number
            let history = History(
                seed: seed,
                steps: self.steps,
                isClosed: self.closed,
                sabotage: self.sabotage
            )
            if let violation = history.violation {
                failures += 1
                guard self.all else {
                    return try self.report(
                        history,
                        violation,
                        "seed \(seed)",
                        "--seed \(seed) --steps \(self.steps)\(self.closed ? " --closed" : "")"
                    )
                }
                print("seed \(seed): \(violation)")
                // A reader of a pipe or a file need not wait for the last history.
                fflush(nil)
            }
            if self.timeline { for line in history.timeline() { print(line) } }
        }
        guard failures == 0 else {
            print("\(failures) of \(self.histories) histories of \(self.steps) steps broke a promise")
            throw ExitCode(1)
        }
        print(
            "\(self.histories) \(self.histories == 1 ? "history" : "histories") of \(self.steps) steps: every promise kept"
        )
    }

    private func run(_ file: String) throws {
        guard FileManager.default.isReadableFile(atPath: file) else { throw ValidationError("cannot read \(file)") }
        guard let plan = try? PlanFile.read(URL(filePath: file)) else {
            throw ValidationError("\(file) is no plan as --keep writes it")
        }
        let history = History(plan, sabotage: self.sabotage)
        if let violation = history.violation { return try self.report(history, violation, file, "--plan \(file)") }
        if self.timeline { for line in history.timeline() { print(line) } }
        print("\(file), \(plan.steps.count) steps: every promise kept")
    }

    private func report(_ history: History, _ violation: Violation, _ name: String, _ again: String) throws {
        print("\(name) breaks a promise after \(history.plan.steps.count) steps: \(violation)")
        let told = self.whole ? history : history.shrunk()
        if !self.whole { print("the same promise is broken by these \(told.plan.steps.count) steps:") }
        for line in told.timeline() { print(line) }
        // The timeline ends with what is broken.
        if let keep = self.keep { try self.keep(told.plan, in: keep) }
        let sabotage = self.sabotage.map { " --sabotage \($0.rawValue)" } ?? ""
        print("again with: rac-simulate \(again)\(sabotage)")
        throw ExitCode(1)
    }

    private func keep(_ plan: Plan, in file: String) throws {
        try PlanFile.text(of: plan).write(to: URL(filePath: file), atomically: true, encoding: .utf8)
        print("kept in \(file)")
    }
}

extension Sabotage: ExpressibleByArgument {}
