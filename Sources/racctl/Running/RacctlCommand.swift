import ArgumentParser
import RacConnection
import RacProtocol

/// A subcommand that talks to racd.
protocol RacctlCommand: AsyncParsableCommand, Sendable {
    var common: CommonOptions { get }

    /// Whether the command takes more than an answer or two, or runs until it is ended: `--timeout` limits all of it.
    static var streams: Bool { get }

    /// Whether it ends with success when its output is no longer read.
    static var endsWithItsReader: Bool { get }

    /// Whether a lost connection's sends go out again over the next one, so that a session is needed.
    static var resumes: Bool { get }

    /// The time for an orderly end.
    static var grace: Duration { get }

    /// The formats for which the command's results have nothing.
    static var emptyFormats: [OutputFormat] { get }

    /// How results are written.
    var resultFormat: ResultFormat { get }

    /// The time after which a command that streams ends with success.
    var duration: Duration? { get }

    /// Whether a lost connection ends a command that streams.
    var endsWithConnection: Bool { get }

    /// The name of the session; nil: a new one where the command needs it.
    var session: String? { get }

    /// Does the work over an established connection.
    func run(in context: CommandContext) async throws
}

extension RacctlCommand {
    static var streams: Bool { false }
    static var endsWithItsReader: Bool { Self.streams }
    static var resumes: Bool { false }
    static var grace: Duration { .seconds(2) }
    static var emptyFormats: [OutputFormat] { [] }

    var resultFormat: ResultFormat { ResultFormat(format: self.common.output, template: nil, isRaw: false) }
    var duration: Duration? { nil }
    var endsWithConnection: Bool { false }
    var session: String? { nil }

    /// Checks that the command's results have something in the format that is asked for.
    func checkFormat() throws(CommandFailure) {
        let format = self.common.output
        guard Self.emptyFormats.contains(format), self.resultFormat.template == nil else { return }
        let things = format == .name ? "names" : "values"
        let message = "\(Self._commandName) has no \(things) to print: -o \(format.rawValue) is for others"
        throw CommandFailure(.usage, code: "usage", message)
    }
}

/// A subcommand that prints values.
protocol ValueCommand: RacctlCommand {
    var results: ResultOptions { get }
}

extension ValueCommand {
    var resultFormat: ResultFormat {
        ResultFormat(format: self.common.output, template: self.results.template, isRaw: self.results.raw)
    }
}

/// A subcommand that goes on until it is ended.
protocol StreamCommand: RacctlCommand {
    var stream: StreamOptions { get }
}

extension StreamCommand {
    static var streams: Bool { true }

    var duration: Duration? { self.stream.duration }
    var endsWithConnection: Bool { self.stream.once }
}

/// The connection and the output of a subcommand.
struct CommandContext: Sendable {
    let connection: DaemonConnection
    let output: StandardOutput
    let results: ResultFormat
    let configuration: ConnectionConfiguration
    /// The file with the token, which may have another one later.
    let tokenFile: AccessTokenFile?
    /// The time in which an attempt that fails for a reason that may pass is repeated.
    let patience: Duration
    /// Whether a lost connection ends the command.
    let endsWithConnection: Bool

    var format: OutputFormat { self.results.format }

    /// Whether results are written for people.
    var isForPeople: Bool { self.results.format == .text && self.results.template == nil }

    /// Another connection to the same daemon, with the present token.
    func another() async throws(ClientError) -> DaemonConnection {
        try await self.another(with: self.presentToken)
    }

    /// Another connection to the same daemon.
    func another(with token: AccessToken?) async throws(ClientError) -> DaemonConnection {
        var configuration = self.configuration
        configuration.token = token
        return try await DaemonConnection.open(to: self.connection.address, configuration: configuration)
    }

    /// The token that its file has now, or had at the start if the file cannot be read any more.
    var presentToken: AccessToken? { (try? self.tokenFile?.read())?.token ?? self.configuration.token }

    /// Writes a result.
    ///
    /// - Parameters:
    ///   - record: The result.
    ///   - text: The result for people; nil if they see nothing of it.
    /// - Throws: ``OutputClosed`` if nobody reads any more, or a ``CommandFailure``.
    func show(_ record: @autoclosure () -> Record, text: @autoclosure () -> String?) async throws {
        guard let line = self.results.line(record(), text: text()) else { return }
        try await self.output.write(line)
    }

    /// Makes a change of a channel, and writes its revision if the results are no text.
    func change(_ request: Request, of channel: ChannelName) async throws {
        let revision: Revision
        do {
            revision = try await self.connection.change(request)
        } catch {
            throw CommandFailure(error, of: channel)
        }
        var record = Record()
        record.add("channel", .string(channel.text))
        record.add("rev", revision)
        try await self.show(record, text: nil)
    }
}
