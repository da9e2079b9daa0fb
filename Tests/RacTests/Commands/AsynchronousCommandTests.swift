import Expectations
import Rac
import RacTesting
import Testing

/// Commands whose work is an asynchronous function, and tasks that wait for commands.
@Suite struct AsynchronousCommandTests {
    @Test("C430 An asynchronous function is a command's work, and its result the one value")
    func result() async throws {
        let command = Command<Int, String, TestFailure> { input async throws(TestFailure) in
            if input < 0 { throw .bad }
            return "\(input)"
        }
        let events = await command.execute(7).signal.materialize().toArray()
        expect(events == [.value("7"), .completed])
        let failed = await command.execute(-1).signal.materialize().toArray()
        expect(failed == [.failed(.failed(.bad))])
    }

    @Test("C431 The work sends values on its way, and its return completes the execution")
    func progress() async {
        let command = Command<Int, Int, TestFailure> { input, progress async throws(TestFailure) in
            for step in 1...input { progress(step) }
            if input == 2 { throw .e }
        }
        let events = await command.execute(3).signal.materialize().toArray()
        expect(events == [.value(1), .value(2), .value(3), .completed])
        let failed = await command.execute(2).signal.materialize().toArray()
        expect(failed == [.value(1), .value(2), .failed(.failed(.e))])
    }

    @Test("C432 Cancelling an execution cancels its task, and drops later values")
    func cancel() async {
        let (began, cancelled) = (ReplaySubject<Void, Never>(), ReplaySubject<Bool, Never>())
        let command = Command<Void, Int, Never> { _, progress in
            began.send(())
            await untilCancelled()
            progress(1)
            cancelled.send(Task.isCancelled)
        }
        let execution = command.execute()
        let heard = Recorder(execution)
        _ = await began.first()
        execution.cancel()
        expect(await cancelled.first() == true)
        expect(heard.events == events(then: .failed(.cancelled)))
        _ = await command.isEnabled.signal.filter { $0 }.first()
    }

    @Test("A cancelled body occupies its command until it has returned, and the execution has ended at once")
    func lingering() async throws {
        let (began, gate) = (ReplaySubject<Void, Never>(), AsyncStream<Void>.makeStream())
        let (running, refused) = (Property(0), Counter())
        let command = Command<Int, Int, Never> { input in
            running.modify { $0 += 1 }
            defer { running.modify { $0 -= 1 } }
            if input == 1 {
                began.send(())
                // A task of its own is not cancelled with the body.
                await Task { for await _ in gate.stream {} }.value
            }
            return input
        }
        command.refusals.onValue { _ in refused.increment() }
        let (executing, enabled) = (Recorder(command.isExecuting), Recorder(command.isEnabled))
        let execution = command.execute(1)
        let heard = Recorder(execution)
        _ = await began.first()
        execution.cancel()
        expect(heard.events == events(then: .failed(.cancelled)))
        #expect(command.isExecuting.value && !command.isEnabled.value && running.value == 1)
        await #expect(throws: CommandError<Never>.notEnabled) { try await command.run(2) }
        expect(refused.count == 1)
        gate.continuation.finish()
        _ = await command.isEnabled.signal.filter { $0 }.first()
        #expect(running.value == 0 && !command.isExecuting.value)
        expect(try await command.run(2) == 2)
        _ = await command.isEnabled.signal.filter { $0 }.first()
        expect(executing.events == events(false, true, false, true, false))
        expect(enabled.events == events(true, false, true, false, true))
    }

    @Test("A command that is released while a cancelled body still runs completes behind the body")
    func lingeringRelease() async {
        let (began, gate) = (ReplaySubject<Void, Never>(), AsyncStream<Void>.makeStream())
        var command: Command<Void, Void, Never>? = Command { () async in
            began.send(())
            await Task { for await _ in gate.stream {} }.value
        }
        let executing = command.map { Recorder($0.isExecuting) }
        let execution = command?.execute()
        _ = await began.first()
        execution?.cancel()
        command = nil
        expect(executing?.events == events(false, true))
        gate.continuation.finish()
        while executing?.events != events(false, true, false, then: .completed) { await Task.yield() }
    }

    @Test("C433 Running a command waits for the end and gives the last value")
    func run() async throws {
        let command = Command<Int, Int, TestFailure> { input, progress async throws(TestFailure) in
            for step in 0..<input { progress(step) }
            if input == 9 { throw .e }
        }
        expect(try await command.run(3) == 2)
        expect(try await command.run(0) == nil)
        await #expect(throws: CommandError<TestFailure>.failed(.e)) { try await command.run(9) }
    }

    @Test("Running a command that is busy throws at once, and the work goes on")
    func refused() async {
        let work = Subject<Int, Never>()
        let command = Command<Void, Int, Never> { work.signal }
        let first = Recorder(command.execute())
        await #expect(throws: CommandError<Never>.notEnabled) { try await command.run() }
        work.send(1)
        expect(first.events == events(1))
    }

    @Test("C434 Cancelling a task cancels the execution that it runs")
    func cancelled() async {
        let began = ReplaySubject<Void, Never>()
        let command = Command<Int, Int, Never> { _, _ in
            began.send(())
            await untilCancelled()
        }
        let task = Task { try await command.run(1) }
        _ = await began.first()
        task.cancel()
        await #expect(throws: CommandError<Never>.cancelled) { try await task.value }
        _ = await command.isEnabled.signal.filter { $0 }.first()
    }

    @Test("A task that is cancelled already executes nothing")
    func cancelledBefore() async {
        let runs = Counter()
        let command = Command<Int, Int, Never> { input in
            runs.increment()
            return .just(input)
        }
        let (began, input) = AsyncStream<Never>.makeStream()
        let task = Task {
            for await _ in began {}
            return try await command.run(1)
        }
        task.cancel()
        input.finish()
        await #expect(throws: CommandError<Never>.cancelled) { try await task.value }
        expect(runs.count == 0)
    }

    @Test("Neither an input nor an output is needed")
    func void() async throws {
        let runs = Counter()
        let command = Command<Void, Void, TestFailure> { () async throws(TestFailure) in runs.increment() }
        try await command.run()
        #expect(try await command.run() != nil)
        expect(runs.count == 2)
    }

    @Test("An actor's call is decided and announced on that actor")
    @MainActor func isolation() async throws {
        let command = Command<Int, Int, Never>(on: .immediate) { input in
            MainActor.assumeIsolated { .just(input) }
        }
        expect(try await command.run(1) == 1)
    }

    @Test("A command that is hosted elsewhere runs and is cancelled in the same way")
    func port() async {
        let began = ReplaySubject<Void, Never>()
        let cancels = Counter()
        let connect = { (port: CommandPort<Int, Int, TestFailure>) -> any Disposable in
            port.tell(isEnabled: true, isExecuting: false)
            return AnyDisposable {}
        }
        let command = Command<Int, Int, TestFailure>(
            on: .immediate,
            classify: { .failed($0) },
            connect: connect
        ) { _ in
            Signal { sink in
                began.send(())
                return AnyDisposable {
                    cancels.increment()
                    withExtendedLifetime(sink) {}
                }
            }
        }
        let task = Task { try await command.run(1) }
        _ = await began.first()
        task.cancel()
        await #expect(throws: CommandError<TestFailure>.cancelled) { try await task.value }
        expect(cancels.count == 1)
    }
}

/// Waits until the task is cancelled.
private func untilCancelled() async {
    let (stream, input) = AsyncStream<Never>.makeStream()
    await withTaskCancellationHandler {
        for await _ in stream {}
    } onCancel: {
        input.finish()
    }
}
