import RacConnection
import RacProtocol
import Synchronization

/// Sends lines into a binding, whose connections come and go.
final class LineSender: Sendable {
    /// The outcome of the lines.
    struct Summary: Sendable {
        /// The number of lines that were not sent, because the channel had ended.
        var unsent = 0
        /// Why the last of the lines that racctl refused was refused.
        var refusal: CommandFailure?
    }

    private enum Content {
        case value(JSONText)
        case empty
        case refused(CommandFailure)
        /// No line follows.
        case unreadable(CommandFailure)
    }

    /// Values with the numbers of their lines, which go out together.
    private typealias Run = [(value: JSONText, line: Int)]

    private let slot: BindingSlot
    private let input: LineInput
    private let values: ValueOptions
    private let sync: Bool
    private let format: OutputFormat
    private let state = Mutex(Summary())

    /// - Parameters:
    ///   - slot: The present binding.
    ///   - input: The lines.
    ///   - values: How they become values.
    ///   - sync: Whether each send is acknowledged only when it is on racd's disk.
    ///   - format: How refused lines are reported.
    init(slot: BindingSlot, input: LineInput, values: ValueOptions, sync: Bool, format: OutputFormat) {
        self.slot = slot
        self.input = input
        self.values = values
        self.sync = sync
        self.format = format
    }

    /// The outcome of the lines so far.
    var summary: Summary { self.state.withLock { $0 } }

    /// Reads lines to the end of the input.
    ///
    /// When the channel has ended, the lines that stand there already are counted as unsent.
    ///
    /// - Parameter drains: Whether all further lines are waited for, too, because their writer would wait for a reader.
    func sendAll(drains: Bool = false) async {
        defer { self.input.finish() }
        var number = 0
        var warning = self.values.string ? nil : "empty lines are not sent without --string"
        while !Task.isCancelled, let lines = await self.input.nextLines() {
            var (run, isOver) = (Run(), false)
            for line in lines {
                number += 1
                switch self.content(of: line, number) {
                case .value(let value): run.append((value, number))
                case .empty:
                    if let text = warning.take() { self.report(self.failure(number, "it is empty, and \(text)")) }
                case .refused(let failure):
                    if await !self.send(run) { isOver = true }
                    run = []
                    self.note(failure)
                case .unreadable(let failure):
                    _ = await self.send(run)
                    return self.note(failure)
                }
            }
            if await !self.send(run) { isOver = true }
            guard !isOver || drains || self.input.hasMore else { return }
        }
    }

    private func content(of line: LineReader.Line, _ number: Int) -> Content {
        switch line {
        case .unreadable(let failure): return .unreadable(FileInput.cannotRead(self.input.name, failure))
        case .tooLong: return .refused(self.failure(number, "it is too long", .limit, "too-large"))
        case .notUTF8: return .refused(self.failure(number, "it is not UTF-8"))
        case .text("") where !self.values.string: return .empty
        case .text(let text):
            do throws(ValueFault) {
                return .value(try self.values.value(text))
            } catch {
                return .refused(self.failure(number, "it \(error.reason)"))
            }
        }
    }

    /// Sends values over the present connection, or the next one if that is lost.
    ///
    /// - Returns: Whether the channel is open still; if not, the values are counted as unsent.
    private func send(_ run: Run) async -> Bool {
        let values = run.map(\.value)
        var next = 0
        while next < run.count {
            guard let binding = await self.slot.current() else { return self.over(run.count - next) }
            do throws(ClientError) {
                next += try await binding.send(values[next...], sync: self.sync)
            } catch {
                switch error.code {
                case .tooLarge:
                    self.note(self.failure(run[next].line, "it is too long for racd", .limit, "too-large"))
                    next += 1
                case .terminated: return self.over(run.count - next)
                // The command ends with one line in its hands.
                case .cancelled: return self.over(1)
                default: await self.slot.lost(binding)
                }
            }
        }
        return true
    }

    private func over(_ count: Int) -> Bool {
        self.state.withLock { $0.unsent += count }
        return false
    }

    private func failure(
        _ number: Int,
        _ reason: String,
        _ status: ExitStatus = .other,
        _ code: String = "input"
    ) -> CommandFailure {
        CommandFailure(status, code: code, "line \(number) of \(self.input.name) was not sent: \(reason)")
    }

    private func report(_ failure: CommandFailure) {
        var failure = failure
        failure.report(as: self.format)
    }

    /// Reports a failure that counts in the exit code.
    private func note(_ failure: CommandFailure) {
        self.report(failure)
        self.state.withLock { $0.refusal = failure.reported }
    }
}

extension KeptBinding.Outcome {
    /// Throws what a command ends with: an error of the channel, lines behind its end, or the last refused line.
    ///
    /// A cancelled command ends with the number of its lines without an answer.
    func conclude(_ summary: LineSender.Summary, for channel: ChannelName) throws(CommandFailure) {
        // A cancelled command has at most one line in its hands that was not sent.
        let open = self.unanswered + summary.unsent
        if Task.isCancelled, open > 0 {
            throw CommandFailure(
                .timedOut,
                code: "timed-out",
                "\(open == 1 ? "1 line has" : "\(open) lines have") no answer"
            )
        }
        let unsent = self.end.flatMap { CommandFailure(unsent: self.unsent + summary.unsent, channel, $0.end) }
        if let end = self.end, case .failed(let error) = end.end {
            var failure = CommandFailure(error, of: channel, isChannels: end.revision != nil)
            if let unsent { failure.message = "\(unsent.message.prefix { $0 != ":" }): \(failure.message)" }
            throw failure
        }
        if let failure = unsent ?? self.refusal ?? summary.refusal { throw failure }
    }
}
