import ArgumentParser
import Glibc
import RacServer

@main
struct Racd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "racd",
        abstract: "Keeps named channels: live values that many programs share.",
        discussion: """
            racd serve starts the daemon. racctl is the tool that talks to it.

            EXIT CODES
              0  done
              1  an error
              2  wrong usage, or a fault in the configuration
            """,
        version: ServerConfiguration.standardName,
        subcommands: [ServeOptions.self, Backup.self, Config.self, ACL.self, Token.self]
    )

    private static var words: [String] { Array(CommandLine.arguments.dropFirst()) }

    static func main() async {
        // A file at the limit of the shell is an error of a write, in each command.
        signal(SIGXFSZ, SIG_IGN)
        if Invocation.startsDaemon(Self.words) { Signals.prepare() }
        StandardFile.prepare()
        let invocation = Invocation(of: Self.self, Self.words, environment: OptionVariable.ofProcess)
        do {
            var command = try invocation.command()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
            LogWriter.standardError.flush()
        } catch {
            Failure(error, of: invocation).exit()
        }
    }

    func run() async throws {
        throw ValidationError("a subcommand is missing")
    }
}
