import Rac
import RacClient
import RacTestKit

extension Soak {
    /// Runs of commands, here and far away.
    static let runs: [Work] = [
        .steps("run of a command of another program", price: 2, slack: 24 << 10) { bench in
            try bench.other.host("c", Command { (number: Int) async -> Int in number })
            let command = try bench.one.command("c", as: Int.self, returning: Int.self)
            return { number in
                try await command.whenEnabled()
                try await command.run(number)
            }
        },
        .steps("run with progress", price: 2, slack: 24 << 10) { bench in
            let work = Command<Int, Int, Never> { number, progress in for part in 0..<3 { progress(part) } }
            try bench.other.host("c", work)
            let command = try bench.one.command("c", as: Int.self, returning: Int.self)
            return { number in
                try await command.whenEnabled()
                try await command.run(number)
            }
        },
        .steps("run beside others", price: 2, slack: 24 << 10) { bench in
            let work = Command(allowsConcurrentExecution: true) { (number: Int) async -> Int in number }
            try bench.other.host("c", work)
            let command = try bench.one.command("c", as: Int.self, returning: Int.self)
            try await command.whenEnabled()
            return { number in
                let first = command.execute(number)
                try await command.run(number)
                for try await _ in first.values {}
            }
        },
        .steps("run that is cancelled", price: 2, slack: 24 << 10) { bench in
            try bench.other.host("c", Command<Int, Int, Never> { _ in .never })
            let command = try bench.one.command("c", as: Int.self, returning: Int.self)
            return { number in
                try await command.whenEnabled()
                command.execute(number).cancel()
            }
        },
        .steps("run of a hosted command by its own program") { bench in
            let command = Command { (number: Int) async -> Int in number }
            let hosted = try bench.one.host("c", command)
            return { number in
                try await command.run(number)
                withExtendedLifetime(hosted) {}
            }
        },
        .steps("run of a command that is not hosted") { _ in
            let command = Command<Int, Int, Never> { .just($0) }
            let values = Property(0)
            values <~ command.values
            return { number in command.execute(number) }
        },
    ]

    /// Ticks of one timer each.
    static let ticks: [Work] = [
        Self.ticks("tick of a timer in the background", on: .background),
        Self.ticks("tick of a timer on a scheduler", on: SerialScheduler(label: "soak")),
    ]

    private static func ticks(_ name: String, on scheduler: some TimedScheduler) -> Work {
        Work(name) { _ in
            let ticks = Subject<Duration, Never>()
            ticks.subscribe(to: Signal.interval(every: .microseconds(200), on: scheduler))
            return { numbers in _ = await ticks.signal.take(numbers.count).last() }
        }
    }

    /// Connections that are lost and made again, with an object of each kind.
    static let losses: [Work] = [
        .steps("lost connection", price: 40, slack: 64 << 10) { bench in
            let property = try bench.one.property("n", as: Int.self, will: .value(-1))
            let reader = try bench.other.property("n", as: Int.self)
            let local = Property(0)
            local <~> reader
            let leading = try bench.one.terminal("p", .leading, as: Int.self)
            let following = try bench.other.terminal("p", .following, as: Int.self)
            let link = try bench.other.link("n", "m")
            let hosted = try bench.one.host("c", Command { (number: Int) async -> Int in number })
            let command = try bench.other.command("c", as: Int.self, returning: Int.self)
            let watch = Task { for try await _ in try bench.other.watch("**") {} }
            return { number in
                bench.daemon.loseConnections()
                try await property.write(number)
                try await leading.write(number)
                try await following.write(number)
                try await bench.settle()
                withExtendedLifetime((link, hosted, command, watch)) {}
            }
        }
    ]
}
