import ArgumentParser

/// Measures a built racd, and beside it what servers do that have less to do.
@main
struct RacBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rac-bench",
        abstract: "Measures how fast and how small racd is; README.md tells what is measured against what.",
        discussion: """
            Figures are reported, never asserted: they depend on the machine and on what else it does. The exit status \
            tells only whether they could be taken and, with --verify, whether every value came once and in order.
            """,
        subcommands: [All.self, FanOutCommand.self, PingPongCommand.self, DurableCommand.self, IdleCommand.self],
        defaultSubcommand: All.self
    )
}

/// All measurements, one after the other.
struct All: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "all", abstract: "All of them.")

    @OptionGroup(title: "Options of every measurement") var options: RunOptions
    @OptionGroup(title: "fanout") var fanOut: FanOutSuite
    @OptionGroup(title: "pingpong") var pingPong: PingPongSuite
    @OptionGroup(title: "durable") var durable: DurableSuite
    @OptionGroup(title: "idle") var idle: IdleSuite

    func run() throws {
        let workbench = try Workbench(self.options)
        try self.fanOut.run(on: workbench)
        try self.pingPong.run(on: workbench)
        try self.durable.run(on: workbench)
        try self.idle.run(on: workbench)
    }
}

struct FanOutCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fanout",
        abstract: "Deliveries a second on one channel, beside a relay in C."
    )

    @OptionGroup var options: RunOptions
    @OptionGroup var suite: FanOutSuite

    func run() throws {
        try self.suite.run(on: Workbench(self.options))
    }
}

struct PingPongCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pingpong",
        abstract: "Time of one message through the daemon, beside an echo server."
    )

    @OptionGroup var options: RunOptions
    @OptionGroup var suite: PingPongSuite

    func run() throws {
        try self.suite.run(on: Workbench(self.options))
    }
}

struct DurableCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "durable",
        abstract: "Sets a second that are on disk when answered, beside one fsync for each."
    )

    @OptionGroup var options: RunOptions
    @OptionGroup var suite: DurableSuite

    func run() throws {
        try self.suite.run(on: Workbench(self.options))
    }
}

struct IdleCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "idle",
        abstract: "The daemon's memory for each bound connection that does nothing."
    )

    @OptionGroup var options: RunOptions
    @OptionGroup var suite: IdleSuite

    func run() throws {
        try self.suite.run(on: Workbench(self.options))
    }
}
