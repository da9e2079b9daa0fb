import RacConnection
import RacProtocol

/// Runs a program for each execution of a command.
struct ProgramExecutor: Sendable {
    /// More at once are refused: each has a process and four threads.
    private static let maximumPrograms = 256
    /// The limit on the bytes of last words that become the message of an error.
    private static let maximumMessageBytes = 4096

    let call: ProgramCall
    let values: ValueOptions
    let format: OutputFormat

    /// Runs what is asked for until the hosting fails or the task is cancelled; what runs then is ended.
    func run(_ hosting: CommandHosting) async throws {
        let running = RunningExecutions(maximumCount: Self.maximumPrograms)
        let outcome: Result<Void, any Error>
        do {
            outcome = .success(try await self.run(hosting, running))
        } catch {
            outcome = .failure(error)
        }
        // Callers hear that their host has gone, not that they had cancelled.
        await hosting.leave()
        await running.cancelAll()
        try outcome.get()
    }

    private func run(_ hosting: CommandHosting, _ running: RunningExecutions) async throws {
        for try await event in hosting {
            switch event {
            case .cancel(let execution): running.cancel(execution)
            case .execute(let execution, let input):
                let isStarted = running.start(execution) { await self.execute(input, as: execution, for: hosting) }
                if !isStarted { try await hosting.tell(.ended(.failed(Self.tooMany)), of: execution) }
            }
        }
    }

    private static let tooMany = WireError(
        code: "limit",
        message: "\(Self.maximumPrograms) programs are running already"
    )

    /// Runs the program once and reports how it ended; a failed report is noticed by the hosting as well.
    private func execute(_ input: JSONText?, as execution: ExecutionID, for hosting: CommandHosting) async {
        let end: ChannelEnd
        do {
            end = try await self.end(input, as: execution, for: hosting)
        } catch {
            var failure = CommandFailure(error)
            let error = WireError(code: failure.code, message: failure.message)
            if !Task.isCancelled { failure.report(as: self.format) }
            end = .failed(error)
        }
        let said = Task.isCancelled ? .failed(WireError(code: "cancelled", message: "the caller has cancelled")) : end
        // A cancelled task waits for nothing more.
        await Task { await Self.tell(said, of: execution, to: hosting) }.value
    }

    /// Sends the end, without its message if that is too long for a frame.
    private static func tell(_ end: ChannelEnd, of execution: ExecutionID, to hosting: CommandHosting) async {
        do {
            try await hosting.tell(.ended(end), of: execution)
        } catch {
            guard error.code == .tooLarge, case .failed(let error) = end else { return }
            let short = WireError(code: error.code, message: "the message of the error is too long for racd")
            try? await hosting.tell(.ended(.failed(short)), of: execution)
        }
    }

    private func end(
        _ input: JSONText?,
        as execution: ExecutionID,
        for hosting: CommandHosting
    ) async throws -> ChannelEnd {
        var call = self.call
        call.environment["RAC_EXECUTION"] = "\(execution.number)"
        let program = try RunningProgram(call, readsErrors: true)
        return try await program.supervised {
            async let lastWords = Self.lastWords(of: program)
            if let input { await program.input.write(input.onOneLine) }
            program.input.close()
            let fault = try await self.tellOutput(of: program, as: execution, for: hosting)
            let (words, end) = (await lastWords, await program.ended())
            guard end.isSuccess else { return .failed(Self.error(end, of: call, words)) }
            return fault.map(ChannelEnd.failed) ?? .completed
        }
    }

    /// Sends the caller each line of the program; returns the error of the last line that is no value.
    ///
    /// Nobody waits for the lines of a cancelled execution.
    private func tellOutput(
        of program: RunningProgram,
        as execution: ExecutionID,
        for hosting: CommandHosting
    ) async throws -> WireError? {
        var fault: WireError?
        while !Task.isCancelled, let line = await program.output.next() {
            do {
                try await self.tell(line, of: execution, to: hosting)
            } catch {
                var failure = error
                failure.report(as: self.format)
                fault = WireError(code: failure.code, message: failure.message)
            }
        }
        if Task.isCancelled { await program.output.drain() }
        return fault
    }

    private func tell(
        _ line: LineReader.Line,
        of execution: ExecutionID,
        to hosting: CommandHosting
    ) async throws(CommandFailure) {
        switch line {
        case .tooLong: throw self.unsent("it is too long", .tooLarge)
        case .notUTF8: throw self.unsent("it is not UTF-8", .badValue)
        case .unreadable(let failure): throw self.unsent("it cannot be read: \(failure.reason)", .badValue)
        case .text(let text):
            let value: JSONText
            do throws(ValueFault) {
                value = try self.values.value(text)
            } catch {
                throw self.unsent("it \(error.reason)", .badValue)
            }
            try await self.tell(value, of: execution, to: hosting)
        }
    }

    /// A hosting that fails reports that by its own end.
    private func tell(
        _ value: JSONText,
        of execution: ExecutionID,
        to hosting: CommandHosting
    ) async throws(CommandFailure) {
        do {
            try await hosting.tell(.next(value), of: execution)
        } catch  where error.code == .tooLarge {
            throw self.unsent("it is too long for racd", .tooLarge)
        } catch {
            return
        }
    }

    private func unsent(_ reason: String, _ code: ClientError.Code) -> CommandFailure {
        CommandFailure(.other, code: code.rawValue, "a line of \(self.call.name) was not sent: \(reason)")
    }

    /// Passes on what the program says on standard error, and returns its last line.
    private static func lastWords(of program: RunningProgram) async -> String? {
        var last: String?
        while let line = await program.errors?.next() {
            guard case .text(let text) = line else { continue }
            Descriptors.error.write("\(text)\n")
            if text.contains(where: { !$0.isWhitespace }) { last = text }
        }
        return last
    }

    private static func error(_ end: ProgramEnd, of call: ProgramCall, _ words: String?) -> WireError {
        let failure = CommandFailure(call, end)
        let message = words?.cut(toBytes: Self.maximumMessageBytes) ?? failure.message
        return WireError(code: "failed", message: message, data: failure.data)
    }
}
