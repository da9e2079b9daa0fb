import ArgumentParser
import RacClient
import RacConnection
import RacProtocol

/// `racctl link`: two channels with one value.
struct LinkCommand: StreamCommand {
    static let configuration = CommandConfiguration(
        commandName: "link",
        abstract: "Links two channels: each gets the changes of the other.",
        usage: "racctl link [<options>] <a> <b>",
        discussion: """
            At the start the newer value wins. A channel that does not exist is created. There may be any number of \
            links, in rings and stars: a change visits each channel once, and all channels get the newest value. Both \
            channels must be shared ones; names that begin with $ are read-only and cannot be linked.

            --forward and --backward name filters: commands that sh -c runs once, and that read a line of JSON for \
            each value and write a line of JSON for it at once. The two should undo each other. Without one of them \
            values pass unchanged in that direction. If a filter writes nothing for \
            \(Filter.patience.components.seconds) s, link reports it, drops the value and starts the filter again. A \
            filter that ends by itself ends the link with 1.

            Many programs collect their output when they write to a pipe. Tell them not to: jq --unbuffered, sed -u, \
            grep --line-buffered, python3 -u; put stdbuf -oL before others.

            The link ends with the first channel that ends, and ends the other channel in the same way: it exits with \
            0 if the channel completed, with 8 and a message if it ended with an error. Ctrl-C and --timeout leave \
            the channels as they are. When racd is lost, link reports it and connects again; the newest value wins \
            again.

            Standard error says "linked" when the link stands. Nothing is written to standard output but, with -o \
            json, events: {"event":"connected"}, and lost, refused (a value did not pass), error (these three with an \
            error) and completed.

            EXAMPLES
              racctl link room/volume kitchen/volume
              racctl link garden/celsius garden/fahrenheit \\
                --forward 'jq -c --unbuffered ". * 9 / 5 + 32"' \\
                --backward 'jq -c --unbuffered "(. - 32) * 5 / 9"'
            """
    )

    static var endsWithItsReader: Bool { false }
    static var grace: Duration { RunningProgram.grace + .seconds(2) }

    /// The ends of a link's parts: only the link's own end is that of the command.
    private enum Part {
        case link
        case other
    }

    @Argument(
        help: ArgumentHelp("A channel's name.", valueName: "a"),
        completion: NameCompletion.channels,
        transform: { try ChannelName($0) }
    )
    var left: ChannelName

    @Argument(
        help: ArgumentHelp("The other channel's name.", valueName: "b"),
        completion: NameCompletion.channels,
        transform: { try ChannelName($0) }
    )
    var right: ChannelName

    @Option(help: ArgumentHelp("A filter that turns a value of A into one of B.", valueName: "command"))
    var forward: String?

    @Option(help: ArgumentHelp("A filter that turns a value of B into one of A.", valueName: "command"))
    var backward: String?

    @OptionGroup var sessions: SessionOptions
    @OptionGroup var stream: StreamOptions
    @OptionGroup var common: CommonOptions

    var session: String? { self.sessions.name }

    func validate() throws {
        guard self.left != self.right else {
            throw ValidationError("\(self.left) cannot be linked to itself")
        }
    }

    func run(in context: CommandContext) async throws {
        if let name = [self.left, self.right].first(where: \.isReserved) {
            throw CommandFailure(.denied, code: ClientError.Code.forbidden.rawValue, "\(name) is read-only")
        }
        for name in [self.left, self.right] { try await Self.check(name, over: context.connection) }
        let forward = try self.forward.flatMap { try Self.filter($0, "--forward", self.left, context) }
        let backward = try self.backward.flatMap { try Self.filter($0, "--backward", self.right, context) }
        // From now on the client's event loop is the only one, so nothing else waits while it waits for a filter.
        await context.connection.close()
        var configuration = ClientConfiguration(context.configuration)
        configuration.token = context.tokenFile.map { .file($0.path) }
        let client = Client(context.connection.address, configuration: configuration)
        let report = LinkReport(in: context)
        do {
            try await self.keep(client, forward, backward, report)
            await client.close()
        } catch let error as ClientError {
            let failure = await self.failure(error, client)
            await client.close()
            try await report.tellEnd(failure)
            throw failure
        } catch {
            await client.close()
            throw error
        }
        if !Task.isCancelled { try await report.tellEnd() }
    }

    /// Binding makes a shared channel, so this check comes before the other channel is made.
    private static func check(_ name: ChannelName, over connection: DaemonConnection) async throws {
        guard try await Self.isPaired(name, over: connection) else { return }
        let message = "\(name) is a paired channel: only shared ones can be linked"
        throw CommandFailure(.other, code: ClientError.Code.wrongMode.rawValue, message)
    }

    private static func isPaired(_ name: ChannelName, over connection: DaemonConnection) async throws -> Bool {
        do {
            return try await connection.get(name).mode == .paired
        } catch  where error.code == .noSuchChannel {
            return false
        }
    }

    private static func filter(
        _ command: String,
        _ option: String,
        _ source: ChannelName,
        _ context: CommandContext
    ) throws -> Filter? {
        guard let call = ProgramCall(["sh", "-c", command], for: context) else { return nil }
        return try Filter(call, of: option, for: source, hint: FilterHint.hint(for: command))
    }

    /// Keeps the link until the channels end, a filter ends, or the task is cancelled.
    private func keep(_ client: Client, _ forward: Filter?, _ backward: Filter?, _ report: LinkReport) async throws {
        let link = try client.link(
            self.left.text,
            self.right.text,
            forward: Self.map(through: forward),
            backward: Self.map(through: backward)
        )
        defer { link.dispose() }
        try await withThrowingTaskGroup(of: Part.self) { group in
            for filter in [forward, backward].compactMap(\.self) {
                group.addTask {
                    try await filter.supervise()
                    return .other
                }
            }
            group.addTask {
                try await report.follow(client.connection.signal.values(keepingNewest: 16))
                return .other
            }
            // A loss ends a link with --once even while this question waits for another connection.
            group.addTask {
                if await self.stands(client) { report.tellLinked() }
                return .other
            }
            group.addTask {
                try await report.follow(link.errors.values(keepingNewest: 64))
                return .other
            }
            group.addTask {
                try await link.ended.waitUntilCompleted()
                return .link
            }
            while let part = try await group.next(), part != .link {}
            group.cancelAll()
        }
    }

    /// Asks the daemon behind the link's bindings: its answer, whatever it is, means that the link stands.
    ///
    /// A channel may be missing: the link makes it when it has a value for it.
    private func stands(_ client: Client) async -> Bool {
        do {
            _ = try await repeated(for: .seconds(1 << 30), while: { $0.isLoss || $0.code == .timedOut }) {
                () async throws(ClientError) in
                try await client.get(self.right.text)
            }
            return true
        } catch {
            return (error as? ClientError)?.code == .noSuchChannel
        }
    }

    private static func map(through filter: Filter?) -> @Sendable (JSONText) throws -> JSONText {
        guard let filter else { return { $0 } }
        return { try filter.answer(to: $0) }
    }

    /// The reason why a link failed; it names the channel that failed, if one did.
    ///
    /// Without a connection the loss is the reason, and no answer comes.
    private func failure(_ error: ClientError, _ client: Client) async -> CommandFailure {
        guard !error.isLoss, client.connection.value.isLive else { return CommandFailure(error) }
        for name in [self.left, self.right] {
            let status = try? await client.get(name.text)
            if case .failed(let end)? = status?.state, end.code == error.code.rawValue {
                return CommandFailure(end, of: name, isChannels: true)
            }
        }
        return CommandFailure(error)
    }
}

extension ClientConfiguration {
    fileprivate init(_ configuration: ConnectionConfiguration) {
        self.init()
        self.agent = configuration.agent
        self.name = configuration.name
        self.session = configuration.session
        self.tls = configuration.tls
        self.connectTimeout = configuration.connectTimeout
        self.replyTimeout = configuration.replyTimeout
        self.allowsClearTextToken = configuration.allowsClearTextToken
    }
}
