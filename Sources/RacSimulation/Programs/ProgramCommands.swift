import NIOCore
import Rac
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

    func uses(_ use: CommandUse) {
        guard let client = self.client else { return }
        switch use.what {
        case .host(let isConcurrent): self.hosts(use.command, isConcurrent: isConcurrent, client)
        case .unhost:
            self.commands.hosted[use.command]?.hosted.dispose()
            self.commands.hosted[use.command] = nil
        case .allow(let isAllowed): self.commands.hosted[use.command]?.isAllowed.value = isAllowed
        case .execute: self.commands.last = self.remote(use.command, client)?.execute(.integer(self.number))
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

    private func hosts(_ number: Int, isConcurrent: Bool, _ client: Client) {
        guard self.commands.hosted[number] == nil else { return }
        let isAllowed = Property(true)
        let me = NIOLoopBound(self, eventLoop: self.world.loop)
        let command = Command<JSONText, JSONText, WireError>(
            on: ImmediateScheduler(),
            enabledIf: isAllowed.signal,
            allowsConcurrentExecution: isConcurrent
        ) { _ in me.value.work() }
        guard let hosted = try? client.host(raw: self.world.plan.commands[number].text, command) else { return }
        self.commands.hosted[number] = ProgramCommands.Hosting(hosted: hosted, isAllowed: isAllowed)
    }

    /// Yields some values, one after the other, and an end.
    private func work() -> Signal<JSONText, WireError> {
        self.commands.runs += 1
        let run = self.commands.runs
        let count = self.world.noise.number(upTo: Self.mostValues, at: .work, self.number, run << 8)
        var times: [Microseconds] = []
        for place in 0...count {
            let time = self.world.noise.number(
                upTo: Self.longestWork,
                at: .work,
                self.number,
                run << 8 + Int(place) + 1
            )
            times.append((times.last ?? 0) + time)
        }
        let (name, loop) = (self.name, self.world.loop)
        return Signal { [times] sink -> AnyDisposable in
            let saying = times.enumerated().map { place, time in
                loop.scheduleTask(in: .microseconds(Int64(time))) {
                    guard place == count else { return sink.send(.string("\(name).\(run).\(place + 1)")) }
                    if run.isMultiple(of: 3) {
                        sink.fail(WireError(code: "broken", message: ""))
                    } else {
                        sink.complete()
                    }
                }
            }
            return AnyDisposable { for scheduled in saying { scheduled.cancel() } }
        }
    }
}
