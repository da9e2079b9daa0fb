import ArgumentParser
import RacConnection
import RacProtocol

/// A subcommand that talks to racd.
protocol RacctlCommand: AsyncParsableCommand, Sendable {
    var common: CommonOptions { get }

    /// Whether the command runs until it is ended: then `--timeout` limits all of it.
    static var streams: Bool { get }

    /// Whether it ends with success when its output is no longer read.
    static var endsWithItsReader: Bool { get }

    /// The time for an orderly end.
    static var grace: Duration { get }

    /// Does the work over an established connection.
    func run(in context: CommandContext) async throws
}

extension RacctlCommand {
    static var streams: Bool { false }
    static var endsWithItsReader: Bool { Self.streams }
    static var grace: Duration { .seconds(2) }
}

/// The connection and the output of a subcommand.
struct CommandContext: Sendable {
    let connection: DaemonConnection
    let output: StandardOutput
    let format: OutputFormat
    let configuration: ConnectionConfiguration

    /// Another connection to the same daemon.
    func another() async throws(ClientError) -> DaemonConnection {
        try await DaemonConnection.open(to: self.connection.address, configuration: self.configuration)
    }

    /// Makes a change, and writes its revision if the results are JSON.
    func change(_ request: Request) async throws {
        let revision = try await self.connection.change(request)
        guard self.format == .json else { return }
        var line = JSONLine()
        line.add("rev", revision)
        try await self.output.write(line.text)
    }
}
