import NIOCore
import Rac
import RacAccess
import RacClient
import RacProtocol

/// The commands that a program hosts, executes and observes.
struct ProgramCommands {
    struct Hosting {
        let hosted: HostedCommand
        /// Whether the program allows executions.
        let isAllowed: Property<Bool>
    }

    /// The commands that it hosts, by their places in the plan.
    var hosted: [Hosting?]
    /// The commands that it observes and can execute.
    var remote: [Command<JSONText, JSONText, ClientError>?]
    /// The execution that it requested last.
    var last: Execution<JSONText, ClientError>?
    /// The number of executions of its commands.
    var runs = 0

    init(count: Int) {
        self.hosted = Array(repeating: nil, count: count)
        self.remote = Array(repeating: nil, count: count)
    }
}

extension SimulatedProgram {
    /// The time for which a host works on each value.
    private static let longestWork: Microseconds = 20_000
    private static let mostValues: UInt64 = 3

    func uses(_ use: CommandUse, _ step: Int) {
        guard let client = self.client else { return }
        switch use.what {
        case .host(let isConcurrent): self.hosts(use.command, isConcurrent: isConcurrent, step, client)
        case .unhost:
            self.commands.hosted[use.command]?.hosted.dispose()
            self.commands.hosted[use.command] = nil
        case .allow(let isAllowed): self.commands.hosted[use.command]?.isAllowed.value = isAllowed
        case .execute: self.commands.last = self.remote(use.command, client)?.execute(.integer(step))
        case .cancel: self.commands.last?.cancel()
        case .observe: _ = self.remote(use.command, client)
        }
    }

    func observesAll(_ client: Client) {
        for command in self.world.plan.commands.indices { _ = self.remote(command, client) }
    }

    private func remote(_ command: Int, _ client: Client) -> Command<JSONText, JSONText, ClientError>? {
        if let remote = self.commands.remote[command] { return remote }
        let remote = try? client.command(raw: self.world.plan.commands[command].text)
        self.commands.remote[command] = remote
        return remote
    }

    private func hosts(_ number: Int, isConcurrent: Bool, _ step: Int, _ client: Client) {
        guard self.commands.hosted[number] == nil else { return }
        let isAllowed = Property(true)
        let isAsynchronous = self.world.noise.number(upTo: 1, at: .body, self.number, step) == 1
        let command =
            isAsynchronous
            ? self.asynchronousCommand(enabledIf: isAllowed, isConcurrent: isConcurrent, step)
            : self.command(enabledIf: isAllowed, isConcurrent: isConcurrent)
        guard let hosted = try? client.host(raw: self.world.plan.commands[number].text, command) else { return }
        self.commands.hosted[number] = ProgramCommands.Hosting(hosted: hosted, isAllowed: isAllowed)
    }

    /// A command whose work is a signal.
    private func command(
        enabledIf isAllowed: Property<Bool>,
        isConcurrent: Bool
    ) -> Command<JSONText, JSONText, WireError> {
        let me = NIOLoopBound(self, eventLoop: self.world.loop)
        return Command(
            on: ImmediateScheduler(),
            enabledIf: isAllowed.signal,
            allowsConcurrentExecution: isConcurrent
        ) { _ in me.value.work() }
    }

    /// Yields some values, one after the other, and an end.
    private func work() -> Signal<JSONText, WireError> {
        let (run, loop) = (self.nextRun(), self.world.loop)
        return Signal { sink -> AnyDisposable in
            var time: Microseconds = 0
            let saying = run.pauses.enumerated().map { place, pause in
                time += pause
                return loop.scheduleTask(in: .microseconds(Int64(time))) {
                    if let value = run.value(place) { sink.send(value) } else { sink.end(run.ending) }
                }
            }
            return AnyDisposable { for scheduled in saying { scheduled.cancel() } }
        }
    }

    /// Another execution of one of its commands begins.
    func nextRun() -> ProgramRun {
        self.commands.runs += 1
        let run = self.commands.runs
        let count = self.world.noise.number(upTo: Self.mostValues, at: .work, self.number, run << 8)
        let pauses = (0...Int(count)).map { place in
            self.world.noise.number(upTo: Self.longestWork, at: .work, self.number, run << 8 + place + 1)
        }
        return ProgramRun(name: "\(self.name).\(run)", fails: run.isMultiple(of: 3), pauses: pauses)
    }
}

/// The course of one execution at its host.
struct ProgramRun {
    let name: String
    let fails: Bool
    /// The times before each value and before the end.
    let pauses: [Microseconds]

    /// The value behind the pause of this place; nil behind the last one, where the end is.
    func value(_ place: Int) -> JSONText? {
        place < self.pauses.count - 1 ? .string("\(self.name).\(place + 1)") : nil
    }

    var ending: Ending<WireError> { self.fails ? .failed(WireError(code: "broken", message: "")) : .completed }
}

// MARK: In the end

extension SimulatedProgram {
    /// A program that does not host a command knows the reason, and waits for no place that is free.
    func checkPlaces() throws(Violation) {
        for (command, hosting) in zip(self.world.plan.commands, self.commands.hosted) {
            guard let hosted = hosting?.hosted, !hosted.isHosted.value else { continue }
            let problem = hosted.problem.value
            try hold(.commands, problem != nil) { "\(self.name) hosts no \(command), and was not told why" }
            guard problem?.code == .alreadyHosted, self.hearsOfPlace(of: command) else { continue }
            try hold(.commands, self.world.ledger.commands.isHosted(command)) {
                "\(self.name) waits for the place of the host of \(command), which nobody hosts"
            }
        }
    }

    /// Whether the rules let it host a command, and have let it observe the command on the whole connection.
    private func hearsOfPlace(of command: CommandName) -> Bool {
        guard let rights = self.world.ledger.callers[self.lastLink]?.rights else { return false }
        return rights.allows(.host, command.text) && rights.hasAlwaysAllowed(.observe, command.text)
    }
}
