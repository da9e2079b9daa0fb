import RacConnection
import RacProtocol
import Synchronization

/// A program that translates values: it reads lines of JSON, and writes one for each.
///
/// Isolation: any thread may ask, one at a time, and is blocked no longer than `patience`.
final class Filter: Sendable {
    /// The longest time that a filter may take for a value.
    static let patience = Duration.seconds(3)

    /// The filter's name in messages.
    private let option: String
    private let source: ChannelName
    private let call: ProgramCall
    /// The help for a filter that seems to collect its output.
    private let hint: String?
    private let current: Mutex<FilterRun>
    private let runs: AsyncStream<FilterRun>
    private let startedRuns: AsyncStream<FilterRun>.Continuation

    /// Starts it.
    ///
    /// - Parameters:
    ///   - call: The program to start.
    ///   - option: The option that named it.
    ///   - source: The channel whose values it gets.
    ///   - hint: The help for the case that it writes nothing.
    /// - Throws: ``CommandFailure`` if it cannot be started.
    init(_ call: ProgramCall, of option: String, for source: ChannelName, hint: String?) throws(CommandFailure) {
        self.hint = hint
        self.option = option
        self.source = source
        self.call = call
        let run = try FilterRun(call)
        self.current = Mutex(run)
        (self.runs, self.startedRuns) = AsyncStream.makeStream(of: FilterRun.self)
        self.startedRuns.yield(run)
    }

    /// Runs the program, again where that is needed, until the task is cancelled.
    ///
    /// - Throws: ``CommandFailure`` when it has ended by itself.
    func supervise() async throws {
        for await run in self.runs {
            if let end = try await run.supervise() {
                throw CommandFailure(.other, code: "program", "\(self.option) \(end.text)")
            }
        }
    }

    /// The filter's value for a value.
    ///
    /// - Throws: ``ClientError`` with code `badValue` if the filter has none for this one, `cancelled` if it has ended.
    func answer(to value: JSONText) throws -> JSONText {
        let run = self.current.withLock { $0 }
        var answer = run.answer(to: value.onOneLine, within: Self.patience)
        if answer == .outOfStep { answer = try self.another().answer(to: value.onOneLine, within: Self.patience) }
        switch answer {
        case .line(.text(let line)):
            guard let made = try? JSONText(line) else { throw self.failure("wrote a line that is not JSON") }
            return made
        case .line(.tooLong), .line(.notUTF8), .line(.unreadable): throw self.failure("wrote a line that is not JSON")
        case .nothing, .outOfStep:
            let help = self.hint.map { ": \($0)" } ?? ""
            throw self.failure("wrote nothing within \(Self.patience.components.seconds) s and is started again\(help)")
        case .ended: throw ClientError(.cancelled, "\(self.option) has ended")
        }
    }

    private func another() throws -> FilterRun {
        do {
            let run = try FilterRun(self.call)
            self.current.withLock { $0 = run }
            if case .terminated = self.startedRuns.yield(run) { run.terminate() }
            return run
        } catch {
            throw self.failure("could not be started again: \(error.message)")
        }
    }

    private func failure(_ reason: String) -> ClientError {
        ClientError(.badValue, "a value of \(self.source) was not passed on: \(self.option) \(reason)")
    }
}
