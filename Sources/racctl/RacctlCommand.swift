import ArgumentParser
import RacClient

/// A subcommand that talks to racd.
protocol RacctlCommand: AsyncParsableCommand, Sendable {
    var common: CommonOptions { get }

    /// Whether the command goes on until something ends it: then `--timeout` limits all of it.
    static var streams: Bool { get }

    /// Whether it ends, and all is well, when nobody reads its output any more.
    static var endsWithItsReader: Bool { get }

    /// How long it may take to end in order when it is told to.
    static var grace: Duration { get }

    /// Does the work over a connection that stands.
    func run(in session: Session) async throws
}

extension RacctlCommand {
    static var streams: Bool { false }
    static var endsWithItsReader: Bool { Self.streams }
    static var grace: Duration { .seconds(2) }
}

/// What a subcommand works with.
struct Session: Sendable {
    let connection: Connection
    let output: StandardOutput
    let format: OutputFormat
    let configuration: Configuration

    /// One more connection to the same daemon.
    func another() async throws(ClientError) -> Connection {
        try await Connection.open(to: self.connection.address, configuration: self.configuration)
    }

    /// Changes something, and tells the change's revision if the results are JSON.
    func change(_ request: Request) async throws {
        let revision = try await self.connection.change(request)
        guard self.format == .json else { return }
        var line = JSONLine()
        line.add("rev", revision)
        try await self.output.write(line.text)
    }
}
