import ArgumentParser
import NIOHTTP1
import RacConnection
import RacProtocol

/// `racctl ui`: the daemon's page.
struct UICommand: RacctlCommand {
    static let configuration = CommandConfiguration(
        commandName: "ui",
        abstract: "Prints the address of racd's page, and opens it.",
        usage: "racctl ui [<options>] [<name>]",
        discussion: """
            The page shows all channels and commands live. With NAME the address leads to that channel.

            A racd that knows its clients asks who looks at its page. Then the address signs the browser in as this \
            client's principal: once, within a minute. The token stays here: the address has a code behind the #, \
            which a browser sends to nobody.

            --open runs xdg-open. An address with a code takes the way over a file that only you may read, in \
            $XDG_RUNTIME_DIR, because every user sees the words of a program. A browser that may not read there, such \
            as one in a snap, gets the address by hand.

            EXAMPLES
              racctl ui --open
              racctl ui room/volume
              racctl --context lab ui --open
            """
    )

    static var emptyFormats: [OutputFormat] { [.name, .value] }

    @Argument(
        help: ArgumentHelp("The channel that the page shows.", valueName: "name"),
        completion: NameCompletion.channels,
        transform: { try ChannelName($0) }
    )
    var channel: ChannelName?

    @Flag(help: "Open the page in a browser.")
    var open = false

    @OptionGroup var common: CommonOptions

    func run(in context: CommandContext) async throws {
        let address = context.connection.address
        guard let page = PageAddress(address) else {
            var failure = CommandFailure(.usage, code: "no-page", "a browser cannot open \(address), a Unix socket")
            failure.help = "--server HOST:PORT names a TCP address of this racd, and `racd serve --listen` adds one"
            throw failure
        }
        let code = try await Self.code(for: page, in: context)
        let url = try page.url(code: code, channel: self.channel)
        var record = Record()
        record.add("url", .string(url))
        try await context.show(record, text: url)
        if code != nil, context.format != .json {
            Descriptors.error.write("racctl: the address signs in once, within a minute\n")
        }
        if self.open { try await Browser.open(url, isSecret: code != nil) }
    }

    /// Asks the daemon, as the page will, for a one-time code; nil if the page needs none.
    private static func code(for page: PageAddress, in context: CommandContext) async throws -> String? {
        let answer: WebAnswer
        do {
            answer = try await WebAnswer(posting: "/v1/session/code", to: page, in: context)
        } catch is HTTPParserError {
            var failure = CommandFailure(.other, code: "no-page", "racd at \(context.connection.address) has no page")
            failure.help = "start it without --no-http, and with `http = true` in [web] of its configuration file"
            throw failure
        }
        switch answer.status {
        case .ok: return answer["code"]
        case .noContent: return nil
        // racd has welcomed this client, so it is nobody special: its page shows what everybody may see.
        case .unauthorized where context.presentToken == nil: return nil
        default: throw CommandFailure(answer)
        }
    }
}

extension CommandFailure {
    /// A request of HTTP that the daemon has refused.
    fileprivate init(_ answer: WebAnswer) {
        let code = answer["code"] ?? "\(answer.status.code)"
        let reason = answer["detail"] ?? "racd answered \(answer.status)"
        self.init(ExitStatus(ClientError.Code(rawValue: code)), code: code, reason)
    }
}
