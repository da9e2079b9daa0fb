import ArgumentParser
import RacAccess
import RacConfiguration

struct Token: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes, lists and revokes the tokens by which clients show who they are.",
        discussion: """
            The token file keeps the hash of each token, its principal and its times. A \
            running racd takes a change of the file within a second or two.

            ENVIRONMENT
            RACD_CONFIG and RACD_TOKEN_FILE name the files unless options do.
            """,
        subcommands: [Create.self, List.self, Revoke.self]
    )

    func run() throws {
        throw ValidationError("a subcommand is missing")
    }
}

/// The options that name a token file.
struct TokenFileOptions: ParsableArguments {
    @Option(help: ConfigurationPath.help)
    var config: String?

    @Option(help: ArgumentHelp("The token file. (default: the key token-file of the configuration)", valueName: "file"))
    var tokenFile: String?

    static var variables: [OptionVariable] { [OptionVariable("config"), OptionVariable("token-file")] }

    /// The token file, and the configuration file if one was read.
    func open() throws -> (file: TokenFile, access: AccessSettings?) {
        if let tokenFile, self.config == nil {
            guard !tokenFile.isEmpty else { throw ValidationError("--token-file is empty") }
            return (TokenFile(path: tokenFile), nil)
        }
        let configuration = try ConfigurationPath.readExisting(self.config)
        guard let path = self.tokenFile ?? configuration.access.tokenFile else {
            throw ValidationError("\(configuration.path) has no key 'token-file': name the file with --token-file")
        }
        return (TokenFile(path: path), configuration.access)
    }
}

extension Token {
    struct Create: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Makes a token and prints it: it is shown this once, and racd keeps its hash.",
            usage: "racd token create <name> [--role <role> ...] [--expires <end>] [OPTIONS]",
            discussion: """
                Nothing but the token goes to standard output, so it can go into a file.

                EXAMPLES
                  racd token create kiosk-7 --role kiosk --expires 90d > kiosk-7.token
                """
        )

        @Argument(help: "The principal for which the token stands.")
        var name: String

        @Option(
            name: .customLong("role"),
            help: ArgumentHelp(
                """
                A role of the principal; may be given several times. A principal that has \
                roles already keeps them.
                """,
                valueName: "role"
            )
        )
        var roles: [String] = []

        @Option(
            help: ArgumentHelp(
                "The time after which the token is refused, such as 90d, 1d12h or 2027-01-31. (default: never)",
                valueName: "end"
            ),
            transform: { try TokenEnd.milliseconds($0, from: Moment.now) }
        )
        var expires: Int64?

        @OptionGroup var options: TokenFileOptions

        func run() throws {
            let order = TokenOrder(
                name: try Self.checked { () throws(RuleError) in try PrincipalName(self.name) },
                roles: self.roles,
                expiresAt: self.expires
            )
            let (file, access) = try self.options.open()
            let token = NewToken.make()
            let hash = TokenHash(of: token)
            try file.change { tokens in
                try Self.checked { () throws(RuleError) in
                    tokens + [try order.stored(hash, among: tokens, access: access, at: Moment.now)]
                }
            }
            guard let fault = StandardFile.output.write(token + "\n") else { return }
            // Nobody has seen the token.
            try file.change { tokens in tokens.filter { $0.hash != hash } }
            throw fault
        }

        private static func checked<Value>(_ body: () throws(RuleError) -> Value) throws -> Value {
            do {
                return try body()
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Lists tokens: the id, the principal, its roles and the times; never the token."
        )

        @OptionGroup var options: TokenFileOptions

        func run() throws {
            let file = try self.options.open().file
            guard FileVersion(of: file.path) != nil else {
                throw NothingFound(description: "there is no token file \(file.path)")
            }
            let tokens = try file.read()
            let now = Moment.now
            let rows = tokens.map { token in
                let end = token.expiresAt.map { Moment.text($0) + ($0 <= now ? " (over)" : "") } ?? "never"
                let roles = token.roles?.joined(separator: ",") ?? "(configured)"
                return [token.id, token.name.text, roles, token.createdAt.map(Moment.text) ?? "-", end]
            }
            try StandardFile.output.print(Self.table([["ID", "NAME", "ROLES", "CREATED", "EXPIRES"]] + rows))
        }

        private static func table(_ rows: [[String]]) -> String {
            let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            return rows.map { row in
                let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.count) }
                return String(cells.joined(separator: "  ").reversed().drop { $0 == " " }.reversed())
            }.joined(separator: "\n")
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Revokes the token of an id, or all tokens of a principal."
        )

        @Argument(help: "The id of a token, or the name of a principal, as racd token list shows them.")
        var token: String

        @OptionGroup var options: TokenFileOptions

        func run() throws {
            let file = try self.options.open().file
            var revoked: [StoredToken] = []
            try file.change { tokens in
                revoked = tokens.filter { $0.id == self.token || $0.name.text == self.token }
                guard !revoked.isEmpty else {
                    throw NothingFound(description: "no token '\(self.token)' in \(file.path)")
                }
                return tokens.filter { !revoked.contains($0) }
            }
            try StandardFile.output.print(revoked.map { "revoked \($0.id) of \($0.name)" }.joined(separator: "\n"))
        }
    }
}

/// The failure to find what a command is about.
private struct NothingFound: Error, CustomStringConvertible {
    let description: String
}

extension Token.Create: ConfiguredByVariables {
    static var variables: [OptionVariable] { TokenFileOptions.variables }
}

extension Token.List: ConfiguredByVariables {
    static var variables: [OptionVariable] { TokenFileOptions.variables }
}

extension Token.Revoke: ConfiguredByVariables {
    static var variables: [OptionVariable] { TokenFileOptions.variables }
}
