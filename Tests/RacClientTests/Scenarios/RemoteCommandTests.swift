import Expectations
import Foundation
import Rac
import RacClient
import RacTesting
import Testing

@Suite(.timeLimit(.minutes(10))) struct RemoteCommandTests {
    private typealias Blink = Command<Int, Int, ClientError>

    /// Counts up to its input.
    private static func counting() -> Blink {
        Blink(on: .immediate) { Signal(values: 0..<$0) }
    }

    @Test("A hosted command runs for another program, value for value", arguments: Transport.allCases)
    func values(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (host, caller) = await (world.program(), world.program())
            try host.host("room/count", Self.counting())
            let count = try caller.command("room/count", as: Int.self, returning: Int.self)
            try await count.isEnabled.until(true)
            let all = Log<Int>()
            count.values.onValue { all.append($0) }
            let heard = try await count.execute(2_000).outcome()
            expect(heard == Outcome(values: Array(0..<2_000), end: "completed"))
            // Its caller may execute it again as soon as it hears the end.
            expect(try await count.execute(2).outcome() == Outcome(values: [0, 1], end: "completed"))
            expect(all.entries.count == 2_002)
        }
    }

    @Test(
        "The daemon refuses the second of two executions, and a third program sees the first run",
        arguments: Transport.allCases
    )
    func permission(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (host, caller, third) = await (world.program(), world.program(), world.program())
            // Others see it execute before the host has begun.
            let work = ReplaySubject<Int, ClientError>()
            try host.host("room/work", Blink(on: .immediate) { _ in work.signal })
            let command = try caller.command("room/work", as: Int.self, returning: Int.self)
            let witness = try third.command("room/work", as: Int.self, returning: Int.self)
            try await command.isEnabled.until(true)
            try await witness.isEnabled.until(true)
            let (executing, enabled) = (Recorder(witness.isExecuting), Recorder(witness.isEnabled))
            let refused = Recorder(command.refusals)

            let (first, second) = (command.execute(1), command.execute(2))
            expect(try await second.outcome() == Outcome(values: [], end: "notEnabled"))
            // The refusal is reported beside the outcome, in either order.
            while refused.values.isEmpty { await Task.yield() }
            expect(refused.values == [2])
            try await witness.isExecuting.until(true)
            expect(try await witness.execute(3).outcome() == Outcome(values: [], end: "notEnabled"))
            work.send(5)
            work.complete()
            expect(try await first.outcome() == Outcome(values: [5], end: "completed"))
            try await witness.isEnabled.until(true)
            expect(executing.values == [false, true, false])
            expect(enabled.values == [true, false, true])
            try await command.isExecuting.until(false)
            try await command.isEnabled.until(true)
        }
    }

    @Test(
        "No program, its caller neither, sees a command enabled that executes",
        arguments: ["completed", "failed", "cancelled"]
    )
    func pairs(end: String) async throws {
        try await World.with(.unix) { world in
            let (host, caller, third) = await (world.program(), world.program(), world.program())
            let work = ReplaySubject<Int, ClientError>()
            try host.host("room/work", Blink(on: .immediate) { _ in work.signal })
            let command = try caller.command("room/work", as: Int.self, returning: Int.self)
            let witness = try third.command("room/work", as: Int.self, returning: Int.self)
            try await command.isEnabled.until(true)
            try await witness.isEnabled.until(true)
            let seen = Log<String>()
            for (each, name) in [(command, "caller"), (witness, "witness")] {
                let look: @Sendable (Bool) -> Void = { [weak each] _ in
                    guard let each else { return }
                    seen.append("\(name) \(each.isEnabled.value) \(each.isExecuting.value)")
                }
                each.isEnabled.onValue(look)
                each.isExecuting.onValue(look)
                each.errors.onValue { _ in look(true) }
            }
            let execution = command.execute(1)
            try await witness.isExecuting.until(true)
            try await command.isEnabled.until(false)
            switch end {
            case "completed": work.complete()
            case "failed": work.fail(ClientError(.init(rawValue: "lamp"), "it is broken"))
            default: execution.cancel()
            }
            for each in [command, witness] { try await each.isEnabled.until(true) }
            #expect(seen.entries.filter { $0.hasSuffix("true true") }.isEmpty)
        }
    }

    @Test("A failure reaches its caller as the execution's end and once as an error, and others as an error")
    func errors() async throws {
        try await World.with(.unix) { world in
            let (host, caller, third) = await (world.program(), world.program(), world.program())
            try host.host(
                "lamp",
                Blink(on: .immediate) { _ in .fail(ClientError(.init(rawValue: "lamp"), "it is broken")) }
            )
            try host.host("other", Command<Int, Int, Broken>(on: .immediate) { _ in .fail(Broken()) })
            for (name, code, message) in [("lamp", "lamp", "it is broken"), ("other", "failed", "worn out")] {
                let command = try caller.command(name, as: Int.self, returning: Int.self)
                let sibling = try caller.command(name, as: Int.self, returning: Int.self)
                let witness = try third.command(name, as: Int.self, returning: Int.self)
                for each in [command, sibling, witness] { try await each.isEnabled.until(true) }
                let (own, near, far) = (Recorder(command.errors), Recorder(sibling.errors), Recorder(witness.errors))
                expect(try await command.execute(1).outcome() == Outcome(values: [], end: "\(code): \(message)"))
                for heard in [near, far] { try await eventually { heard.values.map(\.message) == [message] } }
                try await caller.ping()
                expect(own.values.map(\.code.rawValue) == [code])
            }
        }
    }

    @Test(
        "Cancelling ends the local run at once and the host's work, and frees the command",
        arguments: Transport.allCases
    )
    func cancelling(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (host, caller) = await (world.program(), world.program())
            let running = Counter()
            let command = Blink(on: .immediate) { _ in
                Signal { _ in
                    running.increment()
                    return AnyDisposable { running.decrement() }
                }
            }
            try host.host("endless", command)
            let remote = try caller.command("endless", as: Int.self, returning: Int.self)
            try await remote.isEnabled.until(true)
            let errors = Recorder(remote.errors)
            let execution = remote.execute(1)
            try await command.isExecuting.until(true)
            execution.cancel()
            expect(try await execution.outcome() == Outcome(values: [], end: "cancelled"))
            try await command.isExecuting.until(false)
            try await eventually { running.count == 0 }
            try await remote.isExecuting.until(false)
            try await remote.isEnabled.until(true)
            // Cancelled before the daemon has answered, it does not stay either.
            remote.execute(2).cancel()
            try await caller.ping()
            try await remote.isEnabled.until(true)
            try await eventually { running.count == 0 }
            #expect(errors.values.isEmpty)
        }
    }

    @Test("Everybody sees a command execute until a body that was cancelled from afar has returned")
    func lingering() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            let (isBusy, gate) = (Property(false), AsyncStream<Void>.makeStream())
            let command = Command<Int, Int, Never> { input in
                guard input == 1 else { return input }
                isBusy.value = true
                // A task of its own is not cancelled with the body.
                await Task { for await _ in gate.stream {} }.value
                isBusy.value = false
                return input
            }
            try host.host("slow", command)
            let remote = try caller.command("slow", as: Int.self, returning: Int.self)
            try await remote.whenEnabled()
            let run = Task { try await remote.run(1, timeout: .seconds(500)) }
            try await isBusy.readOnly.until(true)
            run.cancel()
            expect(await #expect(throws: ClientError.self) { try await run.value }?.code == .cancelled)
            for _ in 0..<2 {
                try await caller.ping()
                try await host.ping()
            }
            #expect(remote.isExecuting.value && !remote.isEnabled.value && !command.isEnabled.value)
            expect(try await remote.execute(2).outcome().end == "notEnabled")
            // Another connection of the host finds the body at work, too.
            try await world.daemon.stop()
            try await host.until { !$0.isLive }
            try await world.daemon.start()
            try await host.until(\.isLive)
            try await caller.until(\.isLive)
            for _ in 0..<2 {
                try await host.ping()
                try await caller.ping()
            }
            #expect(isBusy.value && !remote.isEnabled.value)
            gate.continuation.finish()
            try await remote.isEnabled.until(true)
            #expect(!isBusy.value)
            expect(try await remote.run(2) == 2)
        }
    }

    @Test("A command that runs for its own program, or whose condition is not met, is not enabled for others")
    func condition() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            let work = Subject<Int, ClientError>()
            let condition = Property(false)
            let command = Blink(on: .immediate, enabledIf: condition.signal) { _ in work.signal }
            let hosted = try host.host("room/work", command)
            try await hosted.isHosted.until(true)
            let remote = try caller.command("room/work", as: Int.self, returning: Int.self)
            try await caller.ping()
            #expect(!remote.isEnabled.value)
            condition.value = true
            try await remote.isEnabled.until(true)
            let own = command.execute(1)
            try await remote.isEnabled.until(false)
            #expect(!remote.isExecuting.value)
            own.cancel()
            try await remote.isEnabled.until(true)
            // The condition goes while it runs: it is not enabled afterwards.
            let execution = remote.execute(1)
            try await command.isExecuting.until(true)
            condition.value = false
            work.complete()
            expect(try await execution.outcome().end == "completed")
            try await remote.isExecuting.until(false)
            #expect(!remote.isEnabled.value)
        }
    }

    @Test("An invalid input is reported to the caller, and the command goes on", arguments: Transport.allCases)
    func badInput(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (host, caller) = await (world.program(), world.program())
            try host.host("room/count", Self.counting())
            let raw = try caller.command(raw: "room/count")
            try await raw.isEnabled.until(true)
            #expect(try await raw.execute(.string("many")).outcome().end.hasPrefix("bad-value: a value is no Int"))
            expect(try await raw.execute(.integer(1)).outcome() == Outcome(values: [.integer(0)], end: "completed"))
            let texts = try caller.command("room/count", as: Int.self, returning: String.self)
            try await texts.isEnabled.until(true)
            #expect(try await texts.execute(1).outcome().end.hasPrefix("bad-value: a value is no String"))
        }
    }

    @Test("Commands without an input, and of JSON text, are hosted and executed the same way")
    func otherTypes() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            try host.host("now", Command<Void, String, Never>(on: .immediate) { .just("noon") })
            try host.host(raw: "echo", Command<JSONText, JSONText, Never>(on: .immediate) { .just($0) })
            let now = try caller.command("now", returning: String.self)
            let echo = try caller.command(raw: "echo")
            try await now.isEnabled.until(true)
            try await echo.isEnabled.until(true)
            expect(try await now.execute().outcome() == Outcome(values: ["noon"], end: "completed"))
            let text = try JSONText(#"{"a": 1.0}"#)
            expect(try await echo.execute(text).outcome() == Outcome(values: [text], end: "completed"))
        }
    }

    @Test("Commands without an output run, fail and are refused like others")
    func withoutOutput() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            let seen = Log<Int>()
            try host.host(
                "restart",
                Command<Int, Void, ClientError> { number async throws(ClientError) in
                    if number < 0 { throw ClientError("lamp", "it is broken") }
                    seen.append(number)
                }
            )
            try host.host("now", Command<Void, Void, Never> { () async in seen.append(0) })
            let restart = try caller.command("restart", as: Int.self)
            let again = try caller.command("restart", as: Int.self, returning: Void.self)
            let now = try caller.command("now")
            for each in [restart, again] { try await each.whenEnabled() }
            try await now.whenEnabled()
            try await restart.run(1)
            #expect(try await again.run(2) != nil)
            try await now.run()
            expect(seen.entries == [1, 2, 0])
            let failure = await #expect(throws: ClientError.self) { try await restart.run(-1) }
            expect(failure?.code == "lamp")
            let raw = try caller.command(raw: "restart")
            try await raw.whenEnabled()
            expect(try await raw.execute(.integer(3)).outcome() == Outcome(values: [.null], end: "completed"))
        }
    }

    @Test("A run that takes too long is cancelled, and each end of a wait or a run is a ClientError")
    func runTimeout() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            let isStopped = Property(false)
            let endless = Command<Int, Int, Never> { pages in
                Signal { sink -> AnyDisposable in
                    for page in 0..<pages { sink.send(page) }
                    if pages < 9 { sink.complete() }
                    return AnyDisposable { isStopped.value = true }
                }
            }
            try host.host("print", endless)
            let print = try caller.command("print", as: Int.self)
            try await print.whenEnabled(timeout: .seconds(500))
            try await print.run(1, timeout: .seconds(500))
            try await isStopped.readOnly.until(true)
            isStopped.value = false
            var codes: Set<ClientError.Code> = []
            var time = Duration.milliseconds(1)
            // The time of a run may be over before its host has begun, or while the one before is still there.
            while !isStopped.value {
                do throws(ClientError) {
                    try await print.run(9, timeout: time)
                } catch {
                    codes.insert(error.code)
                    // A refusal takes no time.
                    if error.code == .timedOut { time *= 2 }
                }
            }
            #expect(codes.contains(.timedOut) && codes.isSubset(of: [.timedOut, .notEnabled]))
            // Behind the answer, the caller sees the command as it is after the last run.
            try await caller.ping()
            try await endless.isExecuting.until(false)

            try await print.whenEnabled()
            let running = Task { try await print.run(9, timeout: .seconds(500)) }
            try await endless.isExecuting.until(true)
            let refused = await #expect(throws: ClientError.self) { try await print.run(2, timeout: .seconds(500)) }
            expect(refused?.code == .notEnabled)
            running.cancel()
            expect(await #expect(throws: ClientError.self) { try await running.value }?.code == .cancelled)
            try await endless.isExecuting.until(false)
        }
    }

    @Test("A run with a timeout has the last value, on the caller's actor, and starts nothing in a cancelled task")
    @MainActor func runInTime() async throws {
        let runs = Counter()
        let command = Command<Void, Int, ClientError>(on: .immediate) { _ in
            runs.increment()
            return MainActor.assumeIsolated { .just(7) }
        }
        expect(try await command.run(timeout: .seconds(500)) == 7)
        expect(try await command.run() == 7)
        let cancelled = Task {
            while !Task.isCancelled { await Task.yield() }
            return try await command.run(timeout: .seconds(500))
        }
        cancelled.cancel()
        expect(await #expect(throws: ClientError.self) { try await cancelled.value }?.code == .cancelled)
        expect(runs.count == 2)
    }

    @Test(
        "When the host goes its callers hear host-lost, and its own runs are cancelled",
        arguments: Transport.allCases
    )
    func hostLost(transport: Transport) async throws {
        try await World.with(transport) { world in
            let (host, caller) = await (world.program(), world.program())
            let command = Blink(on: .immediate) { _ in .never }
            let hosted = try host.host("endless", command)
            let remote = try caller.command("endless", as: Int.self, returning: Int.self)
            for isLast in [false, true] {
                try await remote.isEnabled.until(true)
                let execution = remote.execute(1)
                try await command.isExecuting.until(true)
                if isLast { await host.close() } else { hosted.dispose() }
                #expect(try await execution.outcome().end.hasPrefix("host-lost: "))
                try await remote.isEnabled.until(false)
                try await remote.isExecuting.until(false)
                try await command.isExecuting.until(false)
                if !isLast { try host.host("endless", command) }
            }
            expect(try await hosted.ended.outcome().end == "completed")
        }
    }

    // On a socket of its own: a free TCP port may be another one's by the time of the second start.
    @Test("After a restart of the daemon a command is hosted and observed again")
    func restart() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            let counting = Self.counting()
            let endless = Blink(on: .immediate) { _ in .never }
            try host.host("count", counting)
            try host.host("endless", endless)
            let count = try caller.command("count", as: Int.self, returning: Int.self)
            let waiting = try caller.command("endless", as: Int.self, returning: Int.self)
            try await count.isEnabled.until(true)
            try await waiting.isEnabled.until(true)
            let execution = waiting.execute(1)
            try await endless.isExecuting.until(true)
            try await world.daemon.stop()
            #expect(try await execution.outcome().end.hasPrefix("connection-lost: "))
            try await count.isEnabled.until(false)
            expect(try await count.execute(1).outcome().end == "notEnabled")
            try await endless.isExecuting.until(false)
            try await world.daemon.start()
            try await count.isEnabled.until(true)
            try await waiting.isEnabled.until(true)
            expect(try await count.execute(1).outcome() == Outcome(values: [0], end: "completed"))
        }
    }

    @Test("A program hosts a name once: a second command is refused, and one that was disposed makes way")
    func oneHost() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            try await p.ping()
            let first = try p.host("name", Self.counting())
            // Even before the daemon has answered.
            first.dispose()
            let second = try p.host("name", Self.counting())
            try await second.isHosted.until(true)
            let third = try p.host("name", Self.counting())
            #expect(try await third.ended.outcome().end.hasPrefix("already-hosted: "))
            #expect(third.problem.value?.code == .alreadyHosted && second.problem.value == nil)
            second.dispose()
            expect(try await second.ended.outcome().end == "completed")
            try await p.ping()
            let last = try q.host("name", Self.counting())
            try await last.isHosted.until(true)
            #expect(throws: ClientError.self) { try p.host("a//b", Self.counting()) }
        }
    }

    @Test(
        "A host behind another program's learns that at once, and takes the place when it is free",
        arguments: [true, false]
    )
    func standsBy(firstIsEnabled: Bool) async throws {
        try await World.with(.unix) { world in
            let (p, q, caller) = await (world.program(), world.program(), world.program())
            let isEnabled = Property(firstIsEnabled)
            let first = try p.host(
                "name",
                Blink(on: .immediate, enabledIf: isEnabled.signal) { _ in Signal(values: [1]) }
            )
            try await first.isHosted.until(true)
            let second = try q.host("name", Blink(on: .immediate) { _ in Signal(values: [2]) })
            try await eventually { second.problem.value?.code == .alreadyHosted }
            #expect(!second.isHosted.value && first.isHosted.value && first.problem.value == nil)
            let command = try caller.command("name", as: Int.self, returning: Int.self)
            if firstIsEnabled {
                try await command.isEnabled.until(true)
                expect(try await command.execute(0).outcome() == Outcome(values: [1], end: "completed"))
            }
            // To the daemon, a host that is lost is there until it is let go.
            await p.close()
            try await second.isHosted.until(true)
            expect(second.problem.value == nil)
            try await command.isEnabled.until(true)
            expect(try await command.execute(0).outcome() == Outcome(values: [2], end: "completed"))
        }
    }

    @Test("A host that waits for the place of another one can be disposed, and waits over a lost connection, too")
    func standingByEnds() async throws {
        try await World.with(.unix) { world in
            let (p, q) = await (world.program(), world.program())
            let first = try p.host("name", Self.counting())
            try await first.isHosted.until(true)
            let second = try q.host("name", Self.counting())
            try await eventually { second.problem.value != nil }
            second.dispose()
            expect(try await second.ended.outcome().end == "completed")
            expect(second.problem.value == nil)
            let third = try q.host("name", Self.counting())
            try await eventually { third.problem.value != nil }
            try await world.daemon.stop()
            try await q.until { !$0.isLive }
            try await world.daemon.start()
            // Either program may be the first one of the new daemon.
            try await eventually { first.isHosted.value || third.isHosted.value }
            first.dispose()
            try await third.isHosted.until(true)
            expect(third.problem.value == nil)
        }
    }

    @Test("A program may execute what it hosts itself, and concurrent executions run side by side")
    func concurrent() async throws {
        try await World.with(.tcp) { world in
            let program = await world.program()
            let work = Subject<Int, ClientError>()
            try program.host("both", Blink(on: .immediate, allowsConcurrentExecution: true) { _ in work.signal })
            let remote = try program.command("both", as: Int.self, returning: Int.self)
            try await remote.isEnabled.until(true)
            let executions = (0..<5).map { remote.execute($0) }
            try await remote.isExecuting.until(true)
            try await eventually {
                work.send(0)
                try await program.ping()
                return executions.allSatisfy { $0.hasSpoken }
            }
            work.complete()
            for execution in executions { expect(try await execution.outcome().end == "completed") }
        }
    }

    @Test("A second command of one name knows from the start that its executions do not run side by side")
    func secondCommand() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            let work = Subject<Int, ClientError>()
            try host.host("work", Blink(on: .immediate) { _ in work.signal })
            let first = try caller.command("work", as: Int.self, returning: Int.self)
            try await first.isEnabled.until(true)
            #expect(!first.allowsConcurrentExecution)
            let second = try caller.command("work", as: Int.self, returning: Int.self)
            try await second.isEnabled.until(true)
            #expect(!second.allowsConcurrentExecution)
        }
    }

    @Test("Values that come faster than the socket takes them end the execution, and nothing else")
    func tooFast() async throws {
        try await World.with(.tcp) { world in
            let (host, caller) = await (world.program(), world.program())
            let long = String(repeating: "x", count: 100_000)
            try host.host(
                "flood",
                Command<Int, String, Never>(on: .immediate) { Signal(values: (0..<$0).map { _ in long }) }
            )
            let flood = try caller.command("flood", as: Int.self, returning: String.self)
            try await flood.isEnabled.until(true)
            #expect(try await flood.execute(100).outcome().end.hasPrefix("slow-consumer: "))
            expect(try await flood.execute(3).outcome() == Outcome(values: [long, long, long], end: "completed"))
        }
    }

    @Test("Commands that nobody holds leave nothing behind; work goes on without its command")
    func deallocation() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            weak var local: Blink?
            let hosted: HostedCommand
            do {
                let command = Self.counting()
                local = command
                hosted = try host.host("count", command)
            }
            try await hosted.isHosted.until(true)
            #expect(local != nil)
            weak var remote: Blink?
            let execution: Execution<Int, ClientError>
            do {
                let command = try caller.command("count", as: Int.self, returning: Int.self)
                remote = command
                try await command.isEnabled.until(true)
                execution = command.execute(3)
            }
            #expect(remote == nil)
            expect(try await execution.outcome() == Outcome(values: [0, 1, 2], end: "completed"))
            hosted.dispose()
            _ = try await hosted.ended.outcome()
            try await eventually { local == nil }
        }
    }

    @Test("A command of a closed client is not enabled, and what ran fails with closed")
    func closedClient() async throws {
        try await World.with(.unix) { world in
            let (host, caller) = await (world.program(), world.program())
            try host.host("endless", Blink(on: .immediate) { _ in .never })
            let remote = try caller.command("endless", as: Int.self, returning: Int.self)
            try await remote.isEnabled.until(true)
            let execution = remote.execute(1)
            await caller.close()
            let end = try await execution.outcome().end
            #expect(end.hasPrefix("closed: "))
            #expect(!remote.isEnabled.value)
            let late = try caller.host("late", Self.counting())
            #expect(try await late.ended.outcome().end.hasPrefix("closed: "))
        }
    }
}

/// A failure that has words of its own.
private struct Broken: LocalizedError {
    var errorDescription: String? { "worn out" }
}

/// The values of an execution, and its end in few words.
private struct Outcome<Value: Equatable & Sendable>: Equatable, Sendable {
    var values: [Value]
    var end: String
}

extension SignalSource where Value: Equatable {
    /// Waits for the end.
    fileprivate func outcome() async throws -> Outcome<Value> {
        var values: [Value] = []
        for await event in self.signal.materialize().values {
            switch event {
            case .value(let value): values.append(value)
            case .completed: return Outcome(values: values, end: "completed")
            case .failed(let error): return Outcome(values: values, end: Self.words(for: error))
            }
        }
        throw Surprise(expected: "an end")
    }

    private static func words(for error: any Error) -> String {
        switch error {
        case let error as CommandError<ClientError>:
            if case .failed(let error) = error { "\(error.code.rawValue): \(error.message)" } else { "\(error)" }
        case let error as ClientError: "\(error.code.rawValue): \(error.message)"
        default: "\(error)"
        }
    }
}

extension Execution {
    /// Whether it has said anything yet.
    fileprivate var hasSpoken: Bool {
        let counter = Counter()
        self.signal.observe { _ in counter.increment() }.dispose()
        return counter.count > 0
    }
}

extension ReadOnlyProperty<Bool> {
    /// Waits until it is so.
    fileprivate func until(_ wanted: Bool) async throws {
        for await value in self.signal.values where value == wanted { return }
        throw Surprise(expected: "a property that becomes \(wanted)")
    }
}
