import ArgumentParser
import Glibc
import RacConnection
import Synchronization

/// Runs one subcommand until it is done, its time is over, somebody interrupts it, or nobody reads its output any more.
final class Runner: Sendable {
    fileprivate enum Outcome {
        case finished(Result<Void, CommandFailure>)
        case interrupted
        case timeIsOver
        /// The time of `--for` is over.
        case durationIsOver
        case outputClosed
        case outputFailed(CommandFailure)
        /// The command was asked to end and has not done so.
        case graceIsOver
    }

    private let command: any RacctlCommand
    /// Whether racd has answered.
    private let hasConnected = Mutex(false)

    init(_ command: any RacctlCommand) {
        self.command = command
    }

    func run() async -> ExitStatus {
        let (outcomes, report) = AsyncStream.makeStream(of: Outcome.self)
        let signals = ProcessSignals { report.yield(.interrupted) }
        defer { signals.cancel() }
        let kind = type(of: self.command)
        if kind.endsWithItsReader { Descriptors.output.whenNobodyReads { report.yield(.outputClosed) } }
        if kind.streams, let limit = self.command.common.limit { Self.after(limit) { report.yield(.timeIsOver) } }
        if let time = self.command.duration { Self.after(time) { report.yield(.durationIsOver) } }
        let output = StandardOutput { error in
            report.yield((error as? CommandFailure).map { .outputFailed($0) } ?? .outputClosed)
        }
        let work = Task { report.yield(.finished(await self.result(writingTo: output))) }
        var outcome = outcomes.makeAsyncIterator()
        let first = await outcome.next() ?? .interrupted
        if case .finished = first { return self.status(of: first, leaving: nil) }
        work.cancel()
        Self.after(kind.grace) { report.yield(.graceIsOver) }
        var last = first
        while !last.isLast, let next = await outcome.next() { last = next }
        return self.status(of: first, leaving: last.workLeft)
    }

    /// - Parameters:
    ///   - outcome: The first event that ends the command.
    ///   - work: The work that the command has not done because of that.
    /// - Returns: The exit code, whose reason has been reported.
    private func status(of outcome: Outcome, leaving work: String?) -> ExitStatus {
        switch outcome {
        case .durationIsOver where work != nil:
            return self.status(of: CommandFailure(.timedOut, code: "timed-out", work ?? ""))
        case .durationIsOver where !self.hasConnected.withLock({ $0 }):
            return self.status(ofUnanswered: self.command.duration)
        case .finished(.success), .outputClosed, .durationIsOver: return .done
        case .finished(.failure(let failure)), .outputFailed(let failure): return self.status(of: failure)
        case .interrupted, .graceIsOver: return .interrupted
        case .timeIsOver where !self.hasConnected.withLock({ $0 }):
            return self.status(ofUnanswered: self.command.common.limit)
        case .timeIsOver:
            let message = "timed out after \(self.command.common.limit?.inSeconds ?? "")"
            let reason = work.map { "\(message): \($0)" } ?? message
            return self.status(of: CommandFailure(.timedOut, code: "timed-out", reason))
        }
    }

    /// The end of a command that has waited for a daemon's first answer only.
    private func status(ofUnanswered time: Duration?) -> ExitStatus {
        let name = (try? self.command.common.destination.address).map { "\($0)" } ?? "racd"
        let message = "\(name) did not answer within \(time?.inSeconds ?? "")"
        return self.status(of: CommandFailure(.timedOut, code: "timed-out", message))
    }

    private func status(of failure: CommandFailure) -> ExitStatus {
        var failure = failure
        failure.report(as: self.command.common.output)
        return failure.status
    }

    /// The process ends soon after, so nobody waits for these tasks or cancels them.
    private static func after(_ time: Duration, _ act: @escaping @Sendable () -> Void) {
        Task {
            try? await Task.sleep(for: time)
            act()
        }
    }

    private func result(writingTo output: StandardOutput) async -> Result<Void, CommandFailure> {
        let command = self.command
        let format = command.common.output
        do {
            try command.checkFormat()
            var configuration = command.common.configuration
            let destination = try command.common.destination
            configuration.token = try destination.tokenFile?.token(reportingAs: format)
            configuration.tls = destination.tls
            destination.tls.reportKey(as: format)
            configuration.session = command.session ?? (type(of: command).resumes ? Self.newSession() : nil)
            let connection = try await repeated(for: command.common.patience, while: \.isLoss) {
                [configuration] () async throws(ClientError) in
                try await DaemonConnection.open(to: destination.address, configuration: configuration)
            }
            self.hasConnected.withLock { $0 = true }
            let result = await Self.result(of: command, over: connection, output, configuration, destination.tokenFile)
            await connection.close()
            return result
        } catch {
            return .failure(CommandFailure(error))
        }
    }

    /// A name that no other program's session has.
    private static func newSession() -> String {
        "racctl-" + (0..<2).map { _ in String(UInt64.random(in: .min ... .max), radix: 16) }.joined()
    }

    private static func result(
        of command: any RacctlCommand,
        over connection: DaemonConnection,
        _ output: StandardOutput,
        _ configuration: ConnectionConfiguration,
        _ tokenFile: AccessTokenFile?
    ) async -> Result<Void, CommandFailure> {
        let result: Result<Void, CommandFailure>
        do {
            let context = CommandContext(
                connection: connection,
                output: output,
                results: command.resultFormat,
                configuration: configuration,
                tokenFile: tokenFile,
                patience: command.common.patience,
                endsWithConnection: command.endsWithConnection
            )
            try await command.run(in: context)
            result = .success(())
        } catch is OutputClosed {
            result = .success(())
        } catch {
            result = .failure(CommandFailure(error))
        }
        // The reason of a failure comes behind the last result.
        do {
            try await output.finish()
        } catch {
            if case .success = result, let failure = error as? CommandFailure { return .failure(failure) }
        }
        return result
    }
}

extension Runner.Outcome {
    /// The work that a cancelled command has not done, in its own words.
    fileprivate var workLeft: String? {
        guard case .finished(.failure(let failure)) = self, failure.status == .timedOut else { return nil }
        return failure.message
    }

    /// Whether there is nothing more to wait for.
    fileprivate var isLast: Bool {
        switch self {
        case .finished, .graceIsOver: true
        case .interrupted, .timeIsOver, .durationIsOver, .outputClosed, .outputFailed: false
        }
    }
}
