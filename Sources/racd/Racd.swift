import ArgumentParser
import RacServer

@main
struct Racd: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "racd",
        abstract: "Hosts named two-way channels: properties that many programs share.",
        discussion: """
            racd serve starts the daemon; racctl is the tool to talk to it.

            Exit codes: 0 done, 1 error, 2 usage.
            """,
        version: ServerConfiguration.standardName,
        subcommands: [Serve.self, Backup.self]
    )

    static func main() async {
        do {
            var command = try self.parseAsRoot()
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch {
            Failure(error, of: self).exit()
        }
    }
}
