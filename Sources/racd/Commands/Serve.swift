import ArgumentParser
import Foundation
import Logging
import RacConfiguration
import RacServer
import ServiceLifecycle
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts the daemon.",
        usage: "racd serve [OPTIONS]",
        discussion: """
            When racd is ready, it prints a line to standard output, with the URL that \
            racctl and other programs take:

              racd ready tcp=127.0.0.1:7220 url=rac://127.0.0.1:7220 data=FOLDER

            Logs go to standard error. SIGTERM and SIGINT shut racd down cleanly: it \
            accepts no new work, writes everything to disk, tells its clients, and exits \
            with 0 within 5 seconds.

            ENVIRONMENT
            A variable can set each option: RACD_ and the option's name, as in

              RACD_DATA=/var/lib/racd
              RACD_LISTEN="127.0.0.1:7220 unix:/run/racd/racd.sock"
              RACD_MAX_FRAME=65536
              RACD_INSECURE=1

            An option on the command line wins over its variable.
            """
    )

    @Option(
        help: ArgumentHelp(
            """
            An address to listen on; may be given several times. Port 0 takes a free \
            port. (default: 127.0.0.1:7220)
            """,
            valueName: "HOST:PORT|unix:PATH"
        ),
        transform: ListenAddress.argument
    )
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "Who may use Unix sockets, as chmod takes it: 0660 for racd's user and the group. (default: by the umask)",
            valueName: "mode"
        ),
        transform: SocketRights.mode
    )
    var socketMode: UInt32?

    @Option(
        help: ArgumentHelp("The group of Unix sockets, by name or number.", valueName: "group"),
        transform: SocketRights.group
    )
    var socketGroup: UInt32?

    @Option(help: DefaultDataFolder.help)
    var data: String?

    @Flag(help: "Keep nothing: values last as long as the daemon runs.")
    var memory = false

    @Option(
        help: ArgumentHelp(
            """
            full: a change survives a power loss. normal: it survives a crash of racd; a \
            power loss may lose the changes since the last checkpoint. off: it survives a \
            crash of racd only.
            """,
            valueName: "full|normal|off"
        )
    )
    var durability = ServerConfiguration.Durability.full

    @Option(help: ArgumentHelp("The longest message of a client.", valueName: "bytes"))
    var maxFrame = 8 << 20

    @Option(help: ArgumentHelp("The most connections at a time.", valueName: "n"))
    var maxConnections = 10_000

    @Option(
        help: ArgumentHelp(
            """
            The threads that serve connections. More than one helps only if cores are \
            idle: see docs/performance.md.
            """,
            valueName: "n"
        )
    )
    var threads = 1

    @Option(
        help: ArgumentHelp(
            """
            The least level to log: \(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")). (default: info)
            """,
            valueName: "level"
        ),
        transform: { text in
            guard let level = Logger.Level(rawValue: text) else {
                throw ValidationError("there is no log level '\(text)'")
            }
            return level
        }
    )
    var logLevel = Logger.Level.info

    @Option(help: ArgumentHelp("The format of log entries and of the ready line.", valueName: "text|json"))
    var logFormat = LogFormat.text

    @Flag(help: "Allow addresses that other machines can reach, though racd asks nobody for a password.")
    var insecure = false

    /// The addresses to listen on.
    var addresses: [ListenAddress] { self.listen.isEmpty ? [.standard] : self.listen }

    func validate() throws {
        guard (1024...(1 << 30)).contains(self.maxFrame) else {
            throw ValidationError("--max-frame takes 1024 to \(1 << 30) bytes")
        }
        guard (1...1_000_000).contains(self.maxConnections) else {
            throw ValidationError("--max-connections takes 1 to 1000000")
        }
        guard (1...64).contains(self.threads) else {
            throw ValidationError("--threads takes 1 to 64")
        }
        guard self.data?.isEmpty != true else { throw ValidationError("--data is empty") }
        guard !self.memory || self.data == nil else {
            throw ValidationError("--memory and --data exclude each other")
        }
        if let open = self.addresses.first(where: { !$0.isLocal }), !self.insecure {
            throw ValidationError(
                "\(open) can be reached from other machines and there is no authentication: listen on 127.0.0.1, or say --insecure"
            )
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap(self.logFormat.makeHandler)
        var logger = Logger(label: "racd")
        logger.logLevel = self.logLevel
        let folder = self.memory ? nil : try self.data ?? DefaultDataFolder.path()
        let storage = folder.map { ServerConfiguration.Storage.folder($0, self.durability) } ?? .memory
        var configuration = ServerConfiguration(storage: storage)
        configuration.addresses = self.addresses
        configuration.socketRights = SocketRights(mode: self.socketMode, group: self.socketGroup)
        configuration.maximumFrameBytes = self.maxFrame
        configuration.maximumConnections = self.maxConnections
        configuration.threads = self.threads
        let server = Server(configuration: configuration, logger: logger) { [logFormat, logger] addresses in
            let line = ReadyLine(addresses: addresses, folder: folder).text(logFormat)
            guard let fault = StandardFile.output.write(line + "\n") else { return }
            logger.warning("the ready line is lost", metadata: ["reason": "\(fault)"])
        }
        var group = ServiceGroupConfiguration(
            services: [server],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }
}

extension Serve: ConfiguredByVariables {
    static var variables: [OptionVariable] {
        [
            OptionVariable("listen", .values), OptionVariable("socket-mode"), OptionVariable("socket-group"),
            OptionVariable("data", rival: "memory"),
            OptionVariable("memory", .flag, rival: "data"), OptionVariable("durability"), OptionVariable("max-frame"),
            OptionVariable("max-connections"), OptionVariable("threads"), OptionVariable("log-level"),
            OptionVariable("log-format"), OptionVariable("insecure", .flag),
        ]
    }
}
