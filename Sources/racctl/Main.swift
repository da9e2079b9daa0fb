import ArgumentParser
import Glibc

/// Parses, runs, and ends with one of the documented exit codes.
@main
enum Main {
    static func main() async {
        Descriptors.prepare()
        exit(await Self.run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    private static func run(_ arguments: [String]) async -> ExitStatus {
        do {
            switch try await Racctl.asyncParseAsRoot(NumberArguments.protected(arguments)) {
            case let command as any RacctlCommand: return await Runner(command).run()
            case is Racctl: throw ValidationError("a subcommand is missing")
            case var command:
                try command.run()
                return .done
            }
        } catch {
            return Self.report(error, arguments)
        }
    }

    /// Help and version are asked for; everything else that parsing throws is a wrong use.
    private static func report(_ error: any Error, _ arguments: [String]) -> ExitStatus {
        // A shell asks for names: what is wrong with the rest of the line, the command says when it is run.
        if arguments.first == "---completion", Racctl.exitCode(for: error) != .success { return .done }
        guard Racctl.exitCode(for: error) != .success else {
            Descriptors.output.write(Racctl.fullMessage(for: error) + "\n")
            return .done
        }
        let subcommands = Racctl.configuration.subcommands.compactMap { $0.configuration.commandName }
        let named = arguments.first.flatMap { subcommands.contains($0) ? " \($0)" : nil } ?? ""
        let reason = Racctl.message(for: error)
        let message = "\(reason.last == "." ? String(reason.dropLast()) : reason): see racctl\(named) --help"
        var failure = CommandFailure(.usage, code: "usage", message)
        failure.report(as: .text)
        return .usage
    }
}
