import ArgumentParser
import FoundationEssentials
import Logging
import RacConfiguration
import RacServer

/// The options with which racd serves, and the settings that follow from them.
struct ServeOptions: ParsableArguments {
    @Option(help: ConfigurationPath.help)
    var config: String?

    @Flag(help: "Read no configuration file, not even the standard one.")
    var noConfig = false

    @Option(
        help: ArgumentHelp(
            """
            An address to listen on; may be given several times. Port 0 takes a free \
            port. (default: 127.0.0.1:7220)
            """,
            valueName: "HOST:PORT|tls:HOST:PORT|unix:PATH"
        ),
        transform: ListenerSetting.address
    )
    var listen: [ListenAddress] = []

    @Option(
        help: ArgumentHelp(
            "Who may use Unix sockets, as chmod takes it: 0660 for racd's user and the group. (default: by the umask)",
            valueName: "mode"
        ),
        transform: SocketSetting.mode
    )
    var socketMode: UInt32?

    @Option(
        help: ArgumentHelp("The group of Unix sockets, by name or number.", valueName: "group"),
        transform: SocketSetting.group
    )
    var socketGroup: UInt32?

    @OptionGroup
    var tls: TLSOptions

    @Option(help: DefaultDataFolder.help)
    var data: String?

    @Flag(help: "Keep nothing: values last as long as the daemon runs.")
    var memory = false

    @Option(
        help: ArgumentHelp(
            """
            full: a change survives a power loss. normal: it survives a crash of racd; a \
            power loss may lose the changes since the last checkpoint. off: it survives a \
            crash of racd only. (default: full)
            """,
            valueName: "full|normal|off"
        )
    )
    var durability: ServerConfiguration.Durability?

    @Option(help: ArgumentHelp("The longest message of a client. (default: 8388608)", valueName: "bytes"))
    var maxFrame: Int?

    @Option(help: ArgumentHelp("The most connections at a time. (default: 10000)", valueName: "n"))
    var maxConnections: Int?

    @Option(
        help: ArgumentHelp(
            """
            The threads that serve connections. More than one helps only if cores are \
            idle: see docs/performance.md. (default: 1)
            """,
            valueName: "n"
        )
    )
    var threads: Int?

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
    var logLevel: Logger.Level?

    @Option(
        help: ArgumentHelp("The format of log entries and of the ready line. (default: text)", valueName: "text|json")
    )
    var logFormat: LogFormat?

    @Flag(
        inversion: .prefixedNo,
        help: "Serve the page, the HTTP API and WebSocket on the same addresses. (default: --http)"
    )
    var http: Bool?

    @Option(
        help: ArgumentHelp(
            "An origin whose pages may use racd from another server, such as https://lab.example; several times.",
            valueName: "origin"
        ),
        transform: WebSetting.origin
    )
    var webOrigin: [String] = []

    @Option(
        help: ArgumentHelp(
            "Another name by which browsers reach racd; several times. Its addresses and localhost need none.",
            valueName: "host"
        ),
        transform: WebSetting.host
    )
    var webHost: [String] = []

    @Option(help: ArgumentHelp("Serve the page's files from a folder, to work on them.", valueName: "dir"))
    var console: String?

    @Flag(
        inversion: .prefixedNo,
        help: """
            Allow addresses that other machines can reach, though racd asks nobody who \
            they are, or has no TLS for their tokens.
            """
    )
    var insecure: Bool?

    func validate() throws {
        try Self.check(self.maxFrame, SettingRange.maxFrame, "--max-frame", unit: " bytes")
        try Self.check(self.maxConnections, SettingRange.maxConnections, "--max-connections")
        try Self.check(self.threads, SettingRange.threads, "--threads")
        guard self.config == nil || !self.noConfig else {
            throw ValidationError("--config and --no-config exclude each other")
        }
        guard self.data?.isEmpty != true else { throw ValidationError("--data is empty") }
        guard self.console?.isEmpty != true else { throw ValidationError("--console is empty") }
        guard !self.memory || self.data == nil else {
            throw ValidationError("--memory and --data exclude each other")
        }
        for (number, address) in self.listen.enumerated() {
            guard let other = self.listen[..<number].first(where: address.overlaps) else { continue }
            throw ValidationError("\(address) and \(other) have the same port: leave one of them out")
        }
        try self.validateTLS()
    }

    private func validateTLS() throws {
        if let either = self.listen.first(where: { $0.hasTLS && $0.hasPlain && !$0.isLocal }) {
            throw ValidationError("\(either) can be reached from other machines: write tls: instead of either:")
        }
        if self.tls.listener == nil, let address = self.listen.first(where: \.hasTLS) {
            throw ValidationError("\(address) needs a certificate: say --tls-cert and --tls-key")
        }
        guard self.tls.listener == nil || self.listen.isEmpty || self.listen.contains(where: \.hasTLS) else {
            throw ValidationError("--tls-cert is for tls: addresses: say --listen tls:\(self.listen[0].text)")
        }
    }

    /// The listeners of the command line; nil if it has none.
    private var listeners: [ListenerSetting]? {
        if let tls = self.tls.listener, self.listen.isEmpty { return [ListenerSetting(.standardOfTLS, tls: tls)] }
        guard !self.listen.isEmpty else { return nil }
        return self.listen.map { ListenerSetting($0, tls: $0.hasTLS ? self.tls.listener : nil) }
    }

    private static func check(_ value: Int?, _ range: ClosedRange<Int>, _ option: String, unit: String = "") throws {
        guard let value, !range.contains(value) else { return }
        throw ValidationError("\(option) takes \(range.lowerBound) to \(range.upperBound)\(unit)")
    }

    /// The settings of the command line, and of the variables that stand for options.
    var settings: Settings {
        var settings = Settings()
        settings.storage = self.memory ? .memory : self.data.map(StorageSetting.folder)
        settings.durability = self.durability
        settings.maxFrame = self.maxFrame
        settings.maxConnections = self.maxConnections
        settings.threads = self.threads
        settings.logLevel = self.logLevel
        settings.logFormat = self.logFormat
        settings.isInsecure = self.insecure
        settings.socketMode = self.socketMode
        settings.socketGroup = self.socketGroup
        settings.listeners = self.listeners
        settings.isHTTP = self.http
        settings.origins = self.webOrigin.isEmpty ? nil : self.webOrigin
        settings.hosts = self.webHost.isEmpty ? nil : self.webHost
        settings.console = self.console
        return settings
    }

    /// The settings of the command line, with the variables of the process that stand for some.
    var words: Configuration.Words {
        let variables = Self.variables.filter(\.isInEffect).map { ($0.option, $0.name) }
        return .init(self.settings, variables: Dictionary(variables) { first, _ in first })
    }

    /// Reads the configuration file, and works out the settings that hold.
    func configuration() throws -> Configuration {
        Configuration(file: self.noConfig ? nil : try ConfigurationPath.read(self.config), words: self.words)
    }

    static var variables: [OptionVariable] {
        [
            OptionVariable("config", rival: "no-config"), OptionVariable("no-config", .flag, rival: "config"),
            OptionVariable("listen", .values), OptionVariable("socket-mode"), OptionVariable("socket-group"),
            OptionVariable("data", rival: "memory"),
            OptionVariable("memory", .flag, rival: "data"), OptionVariable("durability"), OptionVariable("max-frame"),
            OptionVariable("max-connections"), OptionVariable("threads"), OptionVariable("log-level"),
            OptionVariable("log-format"), OptionVariable("insecure", .choice, rival: "no-insecure"),
            OptionVariable("http", .choice, rival: "no-http"), OptionVariable("web-origin", .values),
            OptionVariable("web-host", .values), OptionVariable("console"),
        ] + TLSOptions.variables
    }
}

extension Configuration {
    /// The data folder; nil if the daemon keeps nothing.
    func folder() throws -> String? {
        switch self.storage {
        case .memory: nil
        case .folder(let path): path
        case nil: try DefaultDataFolder.path()
        }
    }
}
