import ArgumentParser
import Glibc

/// Parses, runs, and ends with one of the documented exit codes.
@main
enum Main {
    static func main() async {
        Descriptors.prepare()
        ProcessSignals.note()
        exit(await Self.run().rawValue)
    }

    private static func run() async -> ExitStatus {
        let arguments = Array(CommandLine.arguments.dropFirst())
        var requested = RequestedCommand(arguments)
        do {
            try CommandWords.check(CommandLine.unsafeArgv)
            if let lines = await CompletionRequest(arguments)?.answer(by: Racctl.catalog) {
                return Self.answer(lines.joined(separator: "\n"))
            }
            if let shell = try ShellSyntax(asked: arguments) { return Self.answer(shell.completionScript) }
            switch try await requested.parsed() {
            case let command as any RacctlCommand: return await Runner(command).run()
            case var command:
                ProcessSignals.release()
                try command.run()
                return .done
            }
        } catch {
            guard var failure = requested.failure(for: error) else {
                return Self.answer(Racctl.fullMessage(for: error))
            }
            failure.report(as: requested.errorFormat)
            return failure.status
        }
    }

    private static func answer(_ text: String) -> ExitStatus {
        guard let number = Descriptors.output.write(text + "\n"), number != EPIPE else { return .done }
        var failure = CommandFailure(cannotWrite: SystemFailure(number: number))
        failure.report(as: .text)
        return failure.status
    }
}
