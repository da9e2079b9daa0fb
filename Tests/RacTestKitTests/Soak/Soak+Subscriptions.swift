import Rac
import RacClient
import RacTestKit

extension Soak {
    /// Observers, bindings and objects that come and go.
    static let subscriptions: [Work] = [
        .steps("observer of a remote property") { bench in
            let property = try bench.one.property("n", as: Int.self, default: 0)
            return { _ in
                property.onValue { _ in }.dispose()
                property.errors.onValue { _ in }.dispose()
                property.problem.onValue { _ in }.dispose()
                bench.one.connection.onValue { _ in }.dispose()
            }
        },
        .steps("observer of a local property") { _ in
            let (left, right) = (Property(0), Property(0))
            return { number in
                left.onValue { _ in }.dispose()
                combineLatest(left, right).onValue { _ in }.dispose()
                left.map { $0 + 1 }.removeDuplicates().signal.take(1).onValue { _ in }
                left.value = number
            }
        },
        .steps("binding of local properties") { _ in
            let (left, right) = (Property(0), Property(0))
            return { number in
                let bindings = [left <~> right, left.terminal() <~> right.terminal()]
                left.value = number
                for binding in bindings { binding.dispose() }
                (left <~ right.signal).dispose()
            }
        },
        .steps("run of a shared signal") { _ in
            let subject = Subject<Int, Never>()
            let shared = subject.signal.flatMap(.latest) { Signal(values: 0..<$0 % 3) }.share(replaying: 1)
            return { number in
                let (first, second) = (shared.onValue { _ in }, shared.onValue { _ in })
                subject.send(number)
                first.dispose()
                second.dispose()
            }
        },
        .steps("binding of a remote property") { bench in
            let (local, remote) = (Property(0), try bench.one.property("n", as: Int.self, default: 0))
            return { number in
                let binding = local <~> remote
                local.value = number
                binding.dispose()
                (local <~ remote).dispose()
                try await remote.settled()
            }
        },
        .steps("remote property that is released", price: 2) { bench in
            { _ in
                let property = try bench.one.property("n", as: Int.self, default: 0)
                _ = try await property.firstValue()
            }
        },
        .steps("terminal that is released", price: 2) { bench in
            { number in
                let terminal = try bench.one.terminal("n", .leading, as: Int.self)
                try await terminal.write(number)
            }
        },
        .steps("published property that is released", price: 2) { bench in
            { number in
                let local = Property(number)
                try bench.one.publish(local, as: "n")
                try await bench.one.ping()
            }
        },
        .steps("link that is undone", price: 2) { bench in
            { _ in
                try bench.one.link("l", "r").dispose()
                try await bench.one.ping()
            }
        },
        .steps("watch that is left", price: 2, slack: 24 << 10) { bench in
            try await bench.one.set("a/b", 1)
            return { _ in for try await event in try bench.one.watch("a/**") where event == .synced { break } }
        },
        .steps("command that is released", price: 4, slack: 24 << 10) { bench in
            try bench.other.host("c", Command<Int, Int, Never> { .just($0) })
            return { _ in
                let command = try bench.one.command("c", as: Int.self, returning: Int.self)
                try await command.whenEnabled()
            }
        },
        .steps("command that is hosted no longer", price: 4, slack: 24 << 10) { bench in
            { _ in
                let hosted = try bench.one.host("c", Command<Int, Int, Never> { .just($0) })
                for await isHosted in hosted.isHosted.values where isHosted { break }
                hosted.dispose()
            }
        },
    ]
}
