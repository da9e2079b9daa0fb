import ArgumentParser
import RacAccess
import RacConfiguration
import RacProtocol

struct ACL: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acl",
        abstract: "Shows what a principal may do.",
        subcommands: [Test.self]
    )

    func run() throws {
        throw ValidationError("a subcommand is missing")
    }
}

extension ACL {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows whether a principal may do something, and the rule that says so.",
            usage: "racd acl test <principal> <verb> [<name>] [--role <role> ...] [OPTIONS]",
            discussion: """
                The name is that of a channel or of a command; the verb admin has none. The \
                principal of clients that show nothing is 'anonymous'. A principal of a JWT has its roles from the JWT: \
                name them with --role.

                ENVIRONMENT
                RACD_CONFIG names the file unless --config does.

                EXIT CODES
                  0  granted
                  1  not granted, or denied
                  2  wrong usage, or a fault in the configuration

                EXAMPLES
                  racd acl test kiosk-7 write room/1/wish
                  racd acl test alice read room/1 --role kiosk
                  racd acl test operator admin
                """
        )

        @Argument(help: "The principal.")
        var principal: String

        private static let verbs = Verb.allCases.map(\.rawValue).joined(separator: ", ")

        @Argument(
            help: "One of \(verbs).",
            transform: { text in
                guard let verb = Verb(rawValue: text) else { throw ValidationError("the verbs are \(verbs)") }
                return verb
            }
        )
        var verb: Verb

        @Argument(help: "A name, not a pattern.")
        var name: String?

        @Option(
            name: .customLong("role"),
            help: ArgumentHelp("A role that a JWT gives the principal; may be given several times.", valueName: "role")
        )
        var roles: [String] = []

        @Option(help: ConfigurationPath.help)
        var config: String?

        func run() throws {
            let file = try ConfigurationPath.readExisting(self.config)
            let name = try self.channelName
            guard let policy = try HeldConfiguration(Configuration(file: file)).policy else {
                throw ValidationError("\(file.path) has no principals, so racd is open and asks nobody who they are")
            }
            guard let rights = try self.rights(policy, file) else {
                try StandardFile.output.print(
                    "not granted: without the key 'anonymous' clients have to show who they are"
                )
                throw ExitCode(1)
            }
            let verdict = name.map { rights.verdict(self.verb, $0) } ?? rights.administration
            try StandardFile.output.print("\(verdict)")
            guard verdict.isGranted else { throw ExitCode(1) }
        }

        /// The name; nil for the verb that has none.
        private var channelName: ChannelName? {
            get throws {
                guard self.verb != .admin else {
                    guard self.name == nil else { throw ValidationError("the verb admin is for no name: leave it out") }
                    return nil
                }
                guard let name = self.name else {
                    throw ValidationError("the name of a channel or a command is missing")
                }
                do {
                    return try ChannelName(name)
                } catch {
                    throw ValidationError("'\(name)' is no name: \(error)")
                }
            }
        }

        /// The rights of the principal; nil for clients that show nothing, and are refused.
        private func rights(_ policy: AccessPolicy, _ file: ConfigurationFile) throws -> Rights? {
            guard self.roles.isEmpty else { return try self.issuedRights(policy, file) }
            guard self.principal != PrincipalName.anonymous.text else { return policy.rights(of: .anonymous) }
            guard let principal = try? PrincipalName(self.principal), let rights = policy.rights(of: principal) else {
                let help = file.access.issuers.isEmpty ? "" : "; the roles of one of a JWT are named with --role"
                throw ValidationError("there is no principal '\(self.principal)' in \(file.path)\(help)")
            }
            return rights
        }

        /// The rights of a principal that a JWT with these roles names.
        private func issuedRights(_ policy: AccessPolicy, _ file: ConfigurationFile) throws -> Rights {
            if let role = self.roles.first(where: { role in !file.access.roles.contains { $0.name == role } }) {
                throw ValidationError("there is no role '\(role)' in \(file.path)")
            }
            do {
                return try policy.rights(of: try PrincipalName(self.principal), with: self.roles)
            } catch {
                throw ValidationError("\(error)")
            }
        }
    }
}

extension ACL.Test: ConfiguredByVariables {
    static var variables: [OptionVariable] { [OptionVariable("config")] }
}
