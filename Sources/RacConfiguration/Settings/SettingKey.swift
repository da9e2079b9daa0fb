/// A key of the configuration file outside all tables but `[[listen]]` and `[web]`, whose keys have its name before them.
///
/// Each but the last two is an option of `racd serve`, too.
package enum SettingKey: String, CaseIterable, Sendable {
    case data
    case memory
    case durability
    case maxFrame = "max-frame"
    case maxConnections = "max-connections"
    case threads
    case logLevel = "log-level"
    case logFormat = "log-format"
    case insecure
    case socketMode = "socket-mode"
    case socketGroup = "socket-group"
    case http = "web.http"
    case origins = "web.origins"
    case hosts = "web.hosts"
    case console = "web.console"
    case listen
    case tokenFile = "token-file"
    case anonymous

    /// The keys that stand outside all tables.
    static let outsideTables = Set(Self.allCases.filter { $0 != .listen }.map(\.rawValue).filter { !$0.contains(".") })

    /// The option of `racd serve` that has the key's place on the command line.
    package var option: String {
        switch self {
        case .http: "http"
        case .origins: "web-origin"
        case .hosts: "web-host"
        case .console: "console"
        default: self.rawValue
        }
    }
}

/// The values that keys and options of numbers take.
package enum SettingRange {
    /// Bytes.
    package static let maxFrame = 1024...(1 << 30)
    package static let maxConnections = 1...1_000_000
    package static let threads = 1...64
}
