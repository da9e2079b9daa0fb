package import Logging
package import RacServer
package import RacWeb

/// The settings of a daemon that hold: each from its default, the file, a variable or an option; the last one wins.
package struct Configuration: Sendable {
    /// The words of the command line, and the variables that stand for some of them.
    package struct Words: Sendable {
        package let settings: Settings
        /// The variables that set something, by the option for which they stand.
        package let variables: [String: String]

        package init(_ settings: Settings = Settings(), variables: [String: String] = [:]) {
            self.settings = settings
            self.variables = variables
        }
    }

    /// The configuration file; nil if there is none.
    package let file: ConfigurationFile?
    package let origins: [SettingKey: Origin]
    /// The place of the values; nil for the user's own folder.
    package let storage: StorageSetting?
    package let durability: ServerConfiguration.Durability
    package let maxFrame: Int
    package let maxConnections: Int
    package let threads: Int
    package let logLevel: Logger.Level
    package let logFormat: LogFormat
    package let isInsecure: Bool
    package let socketRights: SocketRights
    package let listeners: [ListenerSetting]
    /// The rules for pages that talk to the daemon by HTTP; nil if it speaks no HTTP.
    package let web: WebSettings?
    /// The names by which browsers reach the daemon, in their order.
    package let hostNames: [String]
    package let access: AccessSettings

    /// Works out the settings that hold.
    package init(file: ConfigurationFile? = nil, words: Words = Words()) {
        var layers = Layers(file: file, words: words)
        self.file = file
        self.storage = layers.storage()
        self.durability = layers.pick(.durability, \.durability) ?? .full
        self.maxFrame = layers.pick(.maxFrame, \.maxFrame) ?? 8 << 20
        self.maxConnections = layers.pick(.maxConnections, \.maxConnections) ?? 10_000
        self.threads = layers.pick(.threads, \.threads) ?? 1
        self.logLevel = layers.pick(.logLevel, \.logLevel) ?? .info
        self.logFormat = layers.pick(.logFormat, \.logFormat) ?? .text
        self.isInsecure = layers.pick(.insecure, \.isInsecure) ?? false
        self.socketRights = SocketRights(
            mode: layers.pick(.socketMode, \.socketMode),
            group: layers.pick(.socketGroup, \.socketGroup)
        )
        let listeners = layers.pick(.listen, \.listeners) ?? []
        self.listeners = listeners.isEmpty ? [ListenerSetting(.standard)] : listeners
        let isHTTP = layers.pick(.http, \.isHTTP) ?? true
        self.hostNames = layers.pick(.hosts, \.hosts) ?? []
        let web = WebSettings(
            origins: Set(layers.pick(.origins, \.origins) ?? []),
            hosts: Set(self.hostNames),
            folder: layers.pick(.console, \.console)
        )
        self.web = isHTTP ? web : nil
        let access = file?.access ?? AccessSettings()
        if access.tokenFile != nil { layers.note(.tokenFile) }
        if !access.anonymousRoles.isEmpty { layers.note(.anonymous) }
        self.access = access
        self.origins = layers.origins
    }

    /// The listeners as the tables of the file; nil if they come from elsewhere.
    var fileListeners: [ListenerSetting]? {
        guard case .file = self.origin(of: .listen) else { return nil }
        return self.file?.settings.listeners
    }

    /// The source of a setting.
    package func origin(of key: SettingKey) -> Origin { self.origins[key] ?? .standard }
}

/// Picks each setting from the last source that has it, and notes the source.
private struct Layers {
    let file: ConfigurationFile?
    let words: Configuration.Words
    private(set) var origins: [SettingKey: Origin] = [:]

    init(file: ConfigurationFile?, words: Configuration.Words) {
        self.file = file
        self.words = words
    }

    mutating func pick<Value>(_ key: SettingKey, _ path: KeyPath<Settings, Value?>) -> Value? {
        if let value = self.words.settings[keyPath: path] {
            let variable = self.words.variables[key.option].map(Origin.environment)
            self.origins[key] = variable ?? .option("--\(key.option)")
            return value
        }
        guard let value = self.file?.settings[keyPath: path] else { return nil }
        self.note(key)
        return value
    }

    /// The keys `data` and `memory` exclude each other, so the last source of either one counts.
    mutating func storage() -> StorageSetting? {
        let own = self.words.settings.storage ?? self.file?.settings.storage
        return self.pick(own == .memory ? .memory : .data, \.storage)
    }

    /// Notes that a setting comes from the file.
    mutating func note(_ key: SettingKey) {
        self.origins[key] = self.file.map { .file($0.path) }
    }
}
