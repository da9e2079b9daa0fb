import ArgumentParser
import RacAccess
import RacConfiguration
import RacProtocol

struct ACL: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "acl",
        abstract: "Tells what a principal may do.",
        subcommands: [Test.self]
    )

    func run() throws {
        throw ValidationError("a subcommand is missing")
    }
}

extension ACL {
    struct Test: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tells whether a principal may do something, and the rule that says so.",
            usage: "racd acl test <principal> <verb> <name> [--role <role> ...] [OPTIONS]",
            discussion: """
                The name is that of a channel or of a command. The principal of clients that \
                show nothing is 'anonymous'. A principal of a JWT has its roles from the JWT: \
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
        var name: String

        @Option(
            name: .customLong("role"),
            help: ArgumentHelp("A role that a JWT gives the principal; may be given several times.", valueName: "role")
        )
        var roles: [String] = []

        @Option(help: ConfigurationPath.help)
        var config: String?

        func run() throws {
            let file = try ConfigurationPath.readExisting(self.config)
            let verdict = try self.verdict(HeldConfiguration(Configuration(file: file)).policy, file)
            try StandardFile.output.print("\(verdict)")
            guard verdict.isGranted else { throw ExitCode(1) }
        }

        private func verdict(_ policy: AccessPolicy?, _ file: ConfigurationFile) throws -> Verdict {
            let name: ChannelName
            do {
                name = try ChannelName(self.name)
            } catch {
                throw ValidationError("'\(self.name)' is no name: \(error)")
            }
            guard let policy else {
                throw ValidationError("\(file.path) has no principals, so racd is open and asks nobody who they are")
            }
            guard self.roles.isEmpty else { return try self.issuedRights(policy, file).verdict(self.verb, name) }
            let isAnonymous = self.principal == PrincipalName.anonymous.text
            guard let principal = isAnonymous ? .anonymous : try? PrincipalName(self.principal),
                let rights = policy.rights(of: principal)
            else {
                let help = file.access.issuers.isEmpty ? "" : "; the roles of one of a JWT are named with --role"
                throw ValidationError("there is no principal '\(self.principal)' in \(file.path)\(help)")
            }
            return rights.verdict(self.verb, name)
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
