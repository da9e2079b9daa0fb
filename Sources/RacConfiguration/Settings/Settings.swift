package import Logging
package import RacServer

/// The place where a daemon keeps values.
package enum StorageSetting: Hashable, Sendable {
    case memory
    case folder(String)
}

/// The settings of one source: a configuration file, or a command line; nil for each that the source leaves out.
package struct Settings: Sendable {
    package var storage: StorageSetting?
    package var durability: ServerConfiguration.Durability?
    /// Bytes.
    package var maxFrame: Int?
    package var maxConnections: Int?
    package var threads: Int?
    package var logLevel: Logger.Level?
    package var logFormat: LogFormat?
    package var isInsecure: Bool?
    /// The mode of Unix sockets.
    package var socketMode: UInt32?
    /// The number of the group of Unix sockets.
    package var socketGroup: UInt32?
    package var listeners: [ListenerSetting]?
    /// Whether the daemon speaks HTTP.
    package var isHTTP: Bool?
    /// The origins of other servers' pages that may use the daemon.
    package var origins: [String]?
    /// The names by which browsers reach the daemon.
    package var hosts: [String]?
    /// The folder with the files of the page.
    package var console: String?

    package init() {}
}
