import ArgumentParser
import Dispatch
import FoundationEssentials
import Glibc
import Logging
import RacConfiguration
import RacServer

/// `racd serve` is its options: a debug build checks a group of options four times as often as those of a command.
extension ServeOptions: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Starts the daemon.",
        usage: "racd serve [OPTIONS]",
        discussion: """
            When racd is ready, it prints a line to standard output, with the URL that \
            racctl and other programs take, and the console for a browser:

              racd ready tcp=127.0.0.1:7220 url=rac://127.0.0.1:7220 console=URL data=DIR

            Logs go to standard error. SIGTERM and SIGINT shut racd down cleanly: it \
            accepts no new work, writes everything to disk, tells its clients, and exits \
            with 0 within 5 seconds.

            CONFIGURATION
            The file has a key for each option, and the roles and principals of a racd \
            that asks clients who they are. At SIGHUP racd reads it again: all of it \
            holds, or none. Changes of the token file, and of the JWKS files of issuers, hold \
            within a second or two. Without a file, and \
            without --tls-cert, SIGHUP changes nothing, unless it comes from a terminal that closes: \
            then racd shuts down.

            ENVIRONMENT
            A variable can set each option: RACD_ and the option's name, as in

              RACD_CONFIG=/etc/racd/racd.toml
              RACD_DATA=/var/lib/racd
              RACD_LISTEN="127.0.0.1:7220 unix:/run/racd/racd.sock"
              RACD_MAX_FRAME=65536
              RACD_INSECURE=1

            A variable wins over the file, and an option of the command line over both.
            """
    )

    func run() async throws {
        let configuration = try self.configuration()
        do {
            try await Self.serve(configuration, words: self.words)
        } catch {
            throw ServeFailure(error: error, format: configuration.logFormat)
        }
    }

    private static func serve(_ configuration: Configuration, words: Configuration.Words) async throws {
        try configuration.checkPlaces()
        try configuration.checkConsole()
        let held = try HeldConfiguration(configuration)
        let hangups = HangupRule(
            hasFiles: configuration.file != nil || configuration.listeners.contains { $0.tls != nil },
            hasTerminal: HangupRule.hasTerminal,
            isIgnored: Signals.isIgnored(SIGHUP)
        )
        let threshold = LogThreshold(configuration.logLevel)
        let format = configuration.logFormat
        LoggingSystem.bootstrap { format.makeHandler(label: $0, threshold: threshold) }
        let logger = Logger(label: "racd")
        let folder = try configuration.folder()
        let changes = ServerChanges()
        let server = Server(
            configuration: configuration.server(folder: folder, access: held.policy),
            changes: changes,
            logger: logger
        ) { addresses in
            let line = ReadyLine(
                addresses: addresses,
                hostName: configuration.hostNames.first,
                folder: folder,
                hasConsole: configuration.web != nil
            )
            // A standard output that nobody reads blocks its writer, and racd would obey no signal.
            DispatchQueue.global().async {
                guard let fault = StandardFile.output.write(line.text(format) + "\n") else { return }
                logger.warning("the ready line is lost", metadata: ["reason": "\(fault)"])
            }
        }
        let keeper = ConfigurationKeeper(
            held,
            words: words,
            threshold: threshold,
            changes: changes,
            logger: logger
        )
        await keeper.start()
        let signals = await Signals()
        defer { signals.cancel() }
        let orders = signals.orders
        async let _ = Self.obey(orders, hangups, server, keeper)
        async let _ = keeper.lookRepeatedly()
        try await server.run()
    }

    /// Shuts the daemon down, or reloads its configuration, at each signal until the daemon ends.
    private static func obey(
        _ orders: AsyncStream<Signals.Order>,
        _ hangups: HangupRule,
        _ server: Server,
        _ keeper: ConfigurationKeeper
    ) async {
        for await order in orders {
            switch order {
            case .shutDown: server.shutDown()
            case .hangUp:
                switch hangups.hungUp(hasTerminal: HangupRule.hasTerminal) {
                case .reload: await keeper.reload()
                case .shutDown: server.shutDown()
                case .nothing: await keeper.reportNothingToRead()
                }
            }
        }
    }
}

extension ServeOptions: ConfiguredByVariables {}
