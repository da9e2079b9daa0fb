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

    private enum Outcome {
        case sent
        case refused(CommandFailure)
        /// No line follows.
        case unreadable(CommandFailure)
        /// The channel has ended, or the command ends.
        case over
    }

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
        while !Task.isCancelled, let line = await self.input.next() {
            number += 1
            if line == .text(""), !self.values.string {
                if let text = warning.take() { self.report(self.failure(number, "it is empty, and \(text)")) }
                continue
            }
            switch await self.send(line, number) {
            case .sent: break
            case .refused(let failure): self.note(failure)
            case .unreadable(let failure): return self.note(failure)
            case .over:
                self.state.withLock { $0.unsent += 1 }
                guard drains || self.input.hasMore else { return }
            }
        }
    }

    private func send(_ line: LineReader.Line, _ number: Int) async -> Outcome {
        switch line {
        case .unreadable(let failure): return .unreadable(FileInput.cannotRead(self.input.name, failure))
        case .tooLong: return .refused(self.failure(number, "it is too long", .limit, "too-large"))
        case .notUTF8: return .refused(self.failure(number, "it is not UTF-8"))
        case .text(let text):
            do throws(ValueFault) {
                return await self.send(try self.values.value(text), number)
            } catch {
                return .refused(self.failure(number, "it \(error.reason)"))
            }
        }
    }

    /// Sends a value over the present connection, or the next one if that is lost.
    private func send(_ value: JSONText, _ number: Int) async -> Outcome {
        while let binding = await self.slot.current() {
            do throws(ClientError) {
                try await binding.send(value, sync: self.sync)
                return .sent
            } catch {
                switch error.code {
                case .tooLarge:
                    return .refused(self.failure(number, "it is too long for racd", .limit, "too-large"))
                case .terminated, .cancelled: return .over
                default: await self.slot.lost(binding)
                }
            }
        }
        return .over
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
