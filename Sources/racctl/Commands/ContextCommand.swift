import ArgumentParser
import RacConnection
import RacProtocol

/// `racctl context`: the daemons that a person works with.
struct ContextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "context",
        abstract: "Names daemons, with the tokens for them.",
        usage: """
            racctl context add <name> --server <address> [<options>]
            racctl context use <name>
            racctl context list
            racctl context remove <name>
            """,
        discussion: """
            A context is the address of a racd with the files for it: a token, a CA, a certificate and its key. With \
            "use" one becomes the context of all commands that name no racd themselves, by --server, --context or \
            RACD_SERVER. The context default is always there: it is the racd of this machine, without a token.

            Contexts lie in $XDG_CONFIG_HOME/rac, else ~/.config/rac. A token stays in its own file, and is never \
            written on a command line. Exits with 3 if there is no such context, and with 4 if there is one already, \
            which add replaces with --replace only.

            EXAMPLES
              racctl context add lab --server racs://lab:7220 --token-file ~/.rac/lab
              racctl context use lab
              racctl get room/volume
              racctl --context default get room/volume
            """
    )

    enum Action: String, CaseIterable, ExpressibleByArgument {
        case add, use, list, remove
    }

    @Argument(help: "What to do.")
    var action: Action

    @Argument(
        help: "The context's name; list needs none.",
        completion: NameCompletion.contexts,
        transform: { try ContextName($0) }
    )
    var name: ContextName?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Where the context's racd listens, for add.", valueName: "address")
    )
    var server: String?

    @Option(
        help: ArgumentHelp("The file with the token, for add; only you should have rights to it.", valueName: "file"),
        completion: .file()
    )
    var tokenFile: String?

    @Option(
        name: .customLong("ca"),
        help: ArgumentHelp("The CA of a racs:// daemon, for add, a PEM file.", valueName: "file"),
        completion: .file()
    )
    var authority: String?

    @Option(
        name: .customLong("cert"),
        help: ArgumentHelp("This client's certificate, for add, a PEM file.", valueName: "file"),
        completion: .file()
    )
    var certificate: String?

    @Option(
        help: ArgumentHelp("The private key of --cert, for add, a PEM file.", valueName: "file"),
        completion: .file()
    )
    var key: String?

    @Flag(help: "Let add replace a context of that name.")
    var replace = false

    @Option(name: [.customShort("o", allowingJoined: true), .long], help: "How to write the list.")
    var output: OutputFormat = .text

    func validate() throws {
        switch self.action {
        case .add:
            guard self.name != nil else {
                throw ValidationError("a name is missing: context add NAME --server ADDRESS")
            }
            guard let server else { throw ValidationError("--server is missing: where does its racd listen?") }
            do {
                _ = try DaemonAddress(server)
            } catch {
                throw ValidationError("--server: \(error.message)")
            }
            try Self.check(server, "--server")
            for (option, path) in self.paths { try Self.check(path, option) }
            _ = try self.files.tls
        case .use, .remove:
            guard self.name != nil else {
                throw ValidationError("a name is missing: context \(self.action.rawValue) NAME")
            }
        case .list:
            guard self.name == nil else { throw ValidationError("context list takes no name") }
        }
        guard self.action == .add || (self.server == nil && self.paths.isEmpty) else {
            throw ValidationError("--server, --token-file, --ca, --cert and --key are for context add")
        }
        guard self.action == .add || !self.replace else { throw ValidationError("--replace is for context add") }
        guard self.output != .value else { throw ValidationError("contexts have no values to print") }
        guard self.name != .standard || self.action == .use else {
            throw ValidationError("the context default is always there, and cannot be added or removed")
        }
    }

    /// The files that the options name, each with its option.
    private var paths: [(option: String, path: String)] {
        let files = [
            ("--token-file", self.tokenFile), ("--ca", self.authority), ("--cert", self.certificate),
            ("--key", self.key),
        ]
        return files.compactMap { option, path in path.map { (option, $0) } }
    }

    private var files: TLSFiles {
        TLSFiles(
            authority: self.authority?.absolutePath,
            certificate: self.certificate?.absolutePath,
            key: self.key?.absolutePath
        )
    }

    /// Checks that a word can stand in a line of a file.
    private static func check(_ word: String, _ option: String) throws(ValidationError) {
        let isFit = !word.isEmpty && word.onOneLine == word && word.first != " " && word.last != " "
        guard isFit else { throw ValidationError("\(option) takes text without line breaks, and no space at its ends") }
    }

    func run() throws {
        let folder = ContextFolder(variable: Environment.text)
        switch (self.action, self.name, self.server) {
        case (.add, let name?, let server?): try self.add(name, server, to: folder)
        case (.use, let name?, _): try self.use(name, in: folder)
        case (.remove, let name?, _): try folder.remove(name)
        case (.add, _, _), (.use, _, _), (.remove, _, _), (.list, _, _): try self.list(folder)
        }
    }

    private func add(_ name: ContextName, _ server: String, to folder: ContextFolder) throws {
        try folder.add(
            Context(server: server, tokenFile: self.tokenFile?.absolutePath, files: self.files),
            as: name,
            replacing: self.replace
        )
        if self.tokenFile != nil, let address = try? DaemonAddress(server) { self.noticeExposure(at: address) }
        // The file may come later, so a fault of it is reported now and ends nothing.
        do {
            _ = try self.tokenFile.map(AccessTokenFile.init(path:))?.token(reportingAs: self.output)
        } catch {
            self.notice(error.message)
        }
    }

    /// Warns that commands would not send the token to a daemon without TLS.
    private func noticeExposure(at address: DaemonAddress) {
        guard TokenExposure.isExposed(address, nil), Environment.text(of: CommonOptions.insecureVariable) != "1" else {
            return
        }
        self.notice(
            "\(address) is another machine and has no TLS, so commands will not send the token: add the context with "
                + "--server racs://\(address), or say --insecure with each command"
        )
    }

    private func use(_ name: ContextName, in folder: ContextFolder) throws {
        try folder.use(name)
        if Environment.text(of: DaemonAddress.variable) != nil {
            self.notice("\(DaemonAddress.variable) is set, and comes before the context in use")
        }
    }

    private func notice(_ text: String) {
        var notice = CommandFailure.warning(code: "context", text)
        notice.report(as: self.output)
    }

    // MARK: The list

    private static let columns = [
        Table.Column(heading: "USED"), Table.Column(heading: "NAME"), Table.Column(heading: "SERVER"),
        Table.Column(heading: "TOKEN FILE"),
    ]

    private func list(_ folder: ContextFolder) throws {
        let used = try folder.used
        var last: CommandFailure?
        var entries = [(name: ContextName.standard, context: Context(server: "\(DaemonAddress.local)"))]
        for name in folder.names {
            do throws(CommandFailure) {
                entries.append((name, try folder.context(name)))
            } catch {
                var failure = error
                failure.report(as: self.output)
                last = failure
            }
        }
        let format = ResultFormat(format: self.output, template: nil, isRaw: false)
        var table = Table(Self.columns)
        let lines =
            self.output == .text
            ? table.lines(
                of: entries.map { [$0 == used ? "*" : "-", "\($0)", $1.server, $1.tokenFile ?? "-"] }
            )
            : entries.compactMap { name, context in
                format.line(Self.record(name, context, isUsed: name == used), text: nil)
            }
        for line in lines {
            if let number = Descriptors.output.write(line + "\n") {
                throw CommandFailure(cannotWrite: SystemFailure(number: number))
            }
        }
        if let last { throw last }
    }

    private static func record(_ name: ContextName, _ context: Context, isUsed: Bool) -> Record {
        var record = Record()
        record.add("context", .string("\(name)"))
        record.add("server", .string(context.server))
        record.add("tokenFile", context.tokenFile.map(JSONText.string))
        record.add("ca", context.files.authority.map(JSONText.string))
        record.add("cert", context.files.certificate.map(JSONText.string))
        record.add("key", context.files.key.map(JSONText.string))
        record.add("used", isUsed)
        return record
    }
}
