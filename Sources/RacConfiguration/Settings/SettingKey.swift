/// A key of the configuration file outside all tables but `[[listen]]`.
///
/// Each but the last two is an option of `racd serve`, too, under the same name.
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
    case listen
    case tokenFile = "token-file"
    case anonymous
}

/// The values that keys and options of numbers take.
package enum SettingRange {
    /// Bytes.
    package static let maxFrame = 1024...(1 << 30)
    package static let maxConnections = 1...1_000_000
    package static let threads = 1...64
}
