import Dispatch
import RacConnection
import Synchronization

/// A filter's program, from its start to its end.
///
/// Isolation: one thread asks and is blocked until there is an answer; a task reads what the program writes.
final class FilterRun: Sendable {
    enum Answer: Equatable {
        case line(LineReader.Line)
        case nothing
        /// The program has said too little or too much: another run has to be asked.
        case outOfStep
        case ended
    }

    private struct State {
        var machine = FilterStateMachine()
        var answer: LineReader.Line?
        /// Wakes who has asked.
        var waiting: DispatchSemaphore?
    }

    private let program: RunningProgram
    private let state = Mutex(State())

    /// - Throws: ``CommandFailure`` if the program cannot be started.
    init(_ call: ProgramCall) throws(CommandFailure) {
        self.program = try RunningProgram(call)
    }

    /// Writes a line and waits for the one that answers it; a program that does not answer is ended.
    func answer(to line: String, within patience: Duration) -> Answer {
        let waiting = DispatchSemaphore(value: 0)
        let step = self.state.withLock { state in
            state.waiting = waiting
            return state.machine.asked()
        }
        switch step {
        case .write: break
        case .startAnew: return .outOfStep
        case .ended: return .ended
        }
        self.program.input.writeLater(line)
        _ = waiting.wait(timeout: .now() + patience / .seconds(1))
        return self.takeAnswer()
    }

    private func takeAnswer() -> Answer {
        let answer = self.state.withLock { state in
            defer { (state.answer, state.waiting) = (nil, nil) }
            if let line = state.answer { return Answer.line(line) }
            state.machine.timeIsOver()
            return state.machine.isOutOfStep ? .nothing : .ended
        }
        if answer == .nothing { self.program.terminate() }
        return answer
    }

    /// Reads until the program ends, and ends it when the task is cancelled.
    ///
    /// - Returns: How it ended; nil if this program ended it.
    func supervise() async throws -> ProgramEnd? {
        let end = try await self.program.supervised {
            while let line = await self.program.output.next() { self.take(line) }
            self.program.finishInput()
            return await self.program.ended()
        }
        let isOutOfStep = self.state.withLock { state in
            state.machine.ended()
            state.waiting?.signal()
            return state.machine.isOutOfStep
        }
        return isOutOfStep || Task.isCancelled ? nil : end
    }

    /// Ends it when nobody supervises it.
    func terminate() {
        self.program.terminate()
    }

    private func take(_ line: LineReader.Line) {
        let isOutOfStep = self.state.withLock { state in
            if state.machine.wroteLine() == .answer {
                state.answer = line
                state.waiting?.signal()
            }
            return state.machine.isOutOfStep
        }
        if isOutOfStep { self.program.terminate() }
    }
}
