import Rac
import RacTesting

extension ForeignCall {
    private typealias IntCommand = Command<Int, Int, TestFailure>

    /// A command whose work fails after a value, and whose observer is chosen by a test.
    private static func observed(
        _ name: String,
        _ observe: @escaping @Sendable (IntCommand, @escaping @Sendable () -> Void) -> Void
    ) -> ForeignCall {
        ForeignCall(name) { outsider in
            let command = IntCommand(on: .immediate) { Signal.just($0).concat(.fail(.e)) }
            observe(command) { outsider.visit { Self.use(command) } }
            command.execute(1)
        }
    }

    @Sendable
    private static func use(_ command: IntCommand) {
        command.execute(7).cancel()
        _ = (command.isEnabled.value, command.isExecuting.value)
        command.allowsConcurrentExecution.toggle()
        command.allowsConcurrentExecution.toggle()
        command.values.onValue { _ in }.dispose()
        command.executions.onValue { _ in }.dispose()
    }

    static let commands = [
        observed("isEnabled") { command, call in command.isEnabled.onValue { _ in call() } },
        observed("isExecuting") { command, call in command.isExecuting.onValue { _ in call() } },
        observed("executions") { command, call in command.executions.onValue { _ in call() } },
        observed("an execution of those") { command, call in
            command.executions.onValue { $0.observe { _ in call() } }
        },
        observed("values") { command, call in command.values.onValue { _ in call() } },
        observed("errors") { command, call in command.errors.onValue { _ in call() } },
        observed("refusals") { command, call in
            command.refusals.onValue { _ in call() }
            command.executions.onValue { _ in command.execute(2) }
        },
        observed("an execution") { command, call in command.execute(2).observe { _ in call() } },
        ForeignCall("making the work") { outsider in
            let commands = Log<IntCommand>()
            let command = IntCommand(on: .immediate) { value in
                outsider.visit { for command in commands.entries { Self.use(command) } }
                return .just(value)
            }
            commands.append(command)
            command.execute(1)
        },
        ForeignCall("the work and its teardown") { outsider in
            let commands = Log<IntCommand>()
            let visit = { @Sendable in outsider.visit { for command in commands.entries { Self.use(command) } } }
            let command = IntCommand(on: .immediate) { _ in
                Signal { sink in
                    visit()
                    sink.send(1)
                    return AnyDisposable(visit)
                }
            }
            commands.append(command)
            command.execute(1).cancel()
        },
        ForeignCall("the condition") { outsider in
            let (condition, commands) = (Property(true), Log<IntCommand>())
            let observed = condition.signal.map { isMet in
                outsider.visit { for command in commands.entries { Self.use(command) } }
                return isMet
            }
            let command = IntCommand(on: .immediate, enabledIf: observed) { .just($0) }
            commands.append(command)
            condition.value = false
        },
        ForeignCall("what a command and its run hold") { outsider in
            let other = IntCommand(on: .immediate) { .just($0) }
            let farewell = Farewell(outsider) { Self.use(other) }
            let command = IntCommand(on: .immediate) { [farewell] _ in
                farewell.hold()
                return .never
            }
            command.execute(1).observe { [farewell] _ in farewell.hold() }
        },
        ForeignCall("a value that a run has kept") { outsider in
            let command = Command<Farewell, Farewell, Never>(on: .immediate) { .just($0) }
            command.execute(Farewell(outsider) { command.values.onValue { _ in }.dispose() })
        },
    ]
}
