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
        var arguments = Array(CommandLine.arguments.dropFirst())
        do {
            try CommandWords.check(CommandLine.unsafeArgv)
            if let lines = await Self.completion(arguments) { return Self.answer(lines.joined(separator: "\n")) }
            if let shell = try ShellSyntax(asked: arguments) { return Self.answer(shell.completionScript) }
            arguments = try CommandWords.arranged(
                arguments,
                subcommands: Racctl.subcommandNames,
                catalog: CommandCatalog(Racctl._dumpHelp())
            )
            switch try await Racctl.asyncParseAsRoot(arguments) {
            case let command as any RacctlCommand: return await Runner(command).run()
            case is Racctl: throw ValidationError("a subcommand is missing")
            case var command:
                ProcessSignals.release()
                try command.run()
                return .done
            }
        } catch var failure as CommandFailure {
            failure.report(as: CommandWords.wantsJSON(arguments) ? .json : .text)
            return failure.status
        } catch {
            return Self.report(error, arguments)
        }
    }

    /// The answer to a shell that completes a line; nil if there is none.
    private static func completion(_ arguments: [String]) async -> [String]? {
        guard let request = CompletionRequest(arguments), let catalog = CommandCatalog(Racctl._dumpHelp()) else {
            return nil
        }
        return await request.answer(catalog)
    }

    /// Help and version are asked for; everything else that parsing throws is a wrong use.
    private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        guard Racctl.exitCode(for: error) != .success else { return Self.answer(Racctl.fullMessage(for: error)) }
        let named = arguments.first.flatMap { Racctl.subcommandNames.contains($0) ? " \($0)" : nil } ?? ""
        let message = "\(Self.reason(error, arguments)) See racctl\(named) --help"
        var failure = CommandFailure(.usage, code: "usage", message)
        failure.report(as: CommandWords.wantsJSON(arguments) ? .json : .text)
        return .usage
    }

    /// The parser's reason as a sentence; the parser overlooks misspelt options where something else is missing.
    private static func reason(_ error: any Error, _ arguments: [String]) -> String {
        if let unknown = CommandWords.unknownOption(in: arguments, CommandCatalog(Racctl._dumpHelp())) {
            let nearest = unknown.nearest.map { " Did you mean '\($0)'?" }
            return "there is no option '\(unknown.word)'.\(nearest ?? " Write -- before a value that begins so.")"
        }
        let reason = Racctl.message(for: error)
        let sentence = ".?!".contains(reason.last ?? " ") ? reason : "\(reason)."
        let takesText = arguments.first.map(["set", "exec", "wait"].contains) ?? false
        let hasTooMany = takesText && reason.lowercased().contains("unexpected argument")
        return hasTooMany ? "\(sentence) Words that belong together stand in quotes: 'two words'." : sentence
    }

    private static func answer(_ text: String) -> ExitStatus {
        guard let number = Descriptors.output.write(text + "\n"), number != EPIPE else { return .done }
        var failure = CommandFailure(cannotWrite: SystemFailure(number: number))
        failure.report(as: .text)
        return failure.status
    }
}
