import NIOCore
import Rac
import RacProtocol

/// The commands of a program whose work is an asynchronous function.
extension SimulatedProgram {
    private typealias Body =
        @Sendable (JSONText, _ say: @escaping @Sendable (JSONText) -> Void) async throws(WireError) -> Void

    /// A command whose work looks at the end of each pause whether it was cancelled.
    ///
    /// - Parameters:
    ///   - isAllowed: Whether the program allows executions.
    ///   - isConcurrent: Whether several executions may run at once.
    ///   - step: The step of the plan that hosts the command.
    /// - Returns: The command.
    func asynchronousCommand(
        enabledIf isAllowed: Property<Bool>,
        isConcurrent: Bool,
        _ step: Int
    ) -> Command<JSONText, JSONText, WireError> {
        let body = self.body(isConcurrent: isConcurrent, step)
        let executor = self.world.executor
        guard self.world.sabotage == .earlyEnd else {
            return Command(
                workingOn: executor,
                enabledIf: isAllowed,
                allowsConcurrentExecution: isConcurrent,
                body
            )
        }
        return Command(
            on: ImmediateScheduler(),
            enabledIf: isAllowed.signal,
            allowsConcurrentExecution: isConcurrent
        ) { input in Self.hastySignal(of: body, input, on: executor) }
    }

    private func body(isConcurrent: Bool, _ step: Int) -> Body {
        let me = NIOLoopBound(self, eventLoop: self.world.loop)
        let loop = self.world.loop
        return { input, say async throws(WireError) in
            let run = me.value.begins(input, isConcurrent: isConcurrent, step)
            defer { me.value.world.ledger.commands.bodyReturned(input) }
            for (place, pause) in run.pauses.enumerated() {
                guard await loop.passes(pause), !Task.isCancelled else { return }
                if let value = run.value(place) { say(value) }
            }
            if case .failed(let error) = run.ending { throw error }
        }
    }

    private func begins(_ input: JSONText, isConcurrent: Bool, _ step: Int) -> ProgramRun {
        do {
            try self.world.ledger.commands.bodyBegan(input, isConcurrent: isConcurrent, hostedAt: step, self.name)
        } catch {
            self.world.broken = error
        }
        return self.nextRun()
    }

    /// A body as a signal whose teardown does not wait for it: a mistake on purpose.
    private static func hastySignal(
        of body: @escaping Body,
        _ input: JSONText,
        on executor: SimulatedTaskExecutor
    ) -> Signal<JSONText, WireError> {
        Signal { sink -> AnyDisposable in
            let task = Task(executorPreference: executor) {
                do throws(WireError) {
                    try await body(input) { sink.send($0) }
                    sink.complete()
                } catch {
                    sink.fail(error)
                }
            }
            return AnyDisposable { task.cancel() }
        }
    }
}

extension SimulatedLoop {
    /// Waits for this time, also in a task that is cancelled; returns whether the history goes on.
    fileprivate func passes(_ time: Microseconds) async -> Bool {
        (try? await self.scheduleTask(in: .microseconds(Int64(time))) {}.futureResult.get()) != nil
    }
}
