import ArgumentParser
import Foundation
import Logging
import RacServer
import ServiceLifecycle
import UnixSignals

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Starts the daemon.",
        discussion: """
            When racd is ready, it prints one line to standard output: racd ready tcp=HOST:PORT … data=FOLDER.
            Logs go to standard error. SIGTERM and SIGINT end it in order, with everything on disk.
            """
    )

    @Option(
        name: .customLong("listen"),
        help: ArgumentHelp(
            "An address to listen on; may be given several times. Port 0 takes a free port.",
            valueName: "HOST:PORT|unix:PATH"
        )
    )
    var addresses: [ListenAddress] = [.standard]

    @Option(help: DefaultDataFolder.help)
    var data: String?

    @Flag(help: "Keep nothing: values last as long as the daemon runs.")
    var memory = false

    @Option(
        help: ArgumentHelp(
            """
            The faults that a commit survives: full a loss of power; normal a crash of racd, and of the system up to the \
            last checkpoint; off a crash of racd.
            """,
            valueName: "full|normal|off"
        )
    )
    var durability = ServerConfiguration.Durability.full

    @Option(help: ArgumentHelp("The longest frame of a client.", valueName: "bytes"))
    var maxFrame = 8 << 20

    @Option(help: ArgumentHelp("The most connections at a time.", valueName: "n"))
    var maxConnections = 10_000

    @Option(
        help: ArgumentHelp(
            "The number of threads that serve connections. More than one pays off on idle cores: see docs/performance.md.",
            valueName: "n"
        )
    )
    var threads = 1

    @Option(
        help: ArgumentHelp("\(Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")).", valueName: "level"),
        transform: { text in
            guard let level = Logger.Level(rawValue: text) else {
                throw ValidationError("there is no log level '\(text)'")
            }
            return level
        }
    )
    var logLevel = Logger.Level.info

    @Option(help: ArgumentHelp("The format of log entries.", valueName: "text|json"))
    var logFormat = LogFormat.text

    @Flag(help: "Allow addresses that other machines can reach, though there is no authentication.")
    var insecure = false

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
        guard !self.memory || self.data == nil else {
            throw ValidationError("--memory keeps nothing, so there is no --data")
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
        configuration.maximumFrameBytes = self.maxFrame
        configuration.maximumConnections = self.maxConnections
        configuration.threads = self.threads
        let server = Server(configuration: configuration, logger: logger) { addresses in
            Self.announce(addresses, folder)
        }
        var group = ServiceGroupConfiguration(
            services: [server],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
        group.maximumGracefulShutdownDuration = .seconds(5)
        try await ServiceGroup(configuration: group).run()
    }

    private static func announce(_ addresses: [ListenAddress], _ folder: String?) {
        let places = addresses.map { address in
            switch address {
            case .tcp: "tcp=\(address)"
            case .unix(let path): "unix=\(path)"
            }
        }
        let line = (["racd ready"] + places + ["data=\(folder ?? "memory")"]).joined(separator: " ")
        FileHandle.standardOutput.write(Data((line + "\n").utf8))
    }
}
