import ArgumentParser
import Logging
import RacConfiguration

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks the configuration file, or shows the settings that hold.",
        subcommands: [Check.self, Show.self]
    )

    func run() throws {
        throw ValidationError("a subcommand is missing")
    }
}

extension Config {
    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Checks a configuration file, and the files and folders that it names.",
            usage: "racd config check [<file>]",
            discussion: """
                Each fault has a line on standard error, with the line of its key. Faults \
                with which racd starts nevertheless are warnings. Variables and options of \
                racd serve do not count.

                ENVIRONMENT
                RACD_CONFIG names the file unless an argument does.

                EXIT CODES
                  0  racd would start with this file alone
                  2  it would not
                """
        )

        @Argument(help: ConfigurationPath.help)
        var file: String?

        func run() throws {
            let file = try ConfigurationPath.readExisting(self.file ?? OptionVariable("config").value)
            let configuration = Configuration(file: file)
            try configuration.checkPlaces()
            let held = try HeldConfiguration(configuration)
            for warning in held.checkWarnings { StandardFile.error.report(.warning, "warning: \(warning)") }
            let access = held.configuration.access
            var counts =
                "roles: \(access.roles.count), principals: \(access.principals.count), tokens: \(held.tokens.count)"
            if !access.issuers.isEmpty { counts += ", issuers: \(access.issuers.count), keys: \(held.keyCount)" }
            let state = held.policy == nil ? "open" : "closed, \(counts)"
            try StandardFile.output.print("\(file.path): in order; racd is \(state)")
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows the settings that hold, and where each comes from.",
            usage: "racd config show [OPTIONS]",
            discussion: """
                It takes the options and variables of racd serve, and prints the settings \
                with which racd would start, as a configuration file. Tokens are counted \
                and not shown.

                EXAMPLES
                  racd config show
                  racd config show --config racd.toml --threads 2
                """
        )

        @OptionGroup var options: ServeOptions

        func run() throws {
            let configuration = try self.options.configuration()
            let listing = ConfigurationListing(configuration, folder: try configuration.folder())
            try StandardFile.output.print(listing.lines.joined(separator: "\n"))
        }
    }
}

extension Config.Show: ConfiguredByVariables {
    static var variables: [OptionVariable] { ServeOptions.variables }
}
