package import RacAccess
package import RacServer
import RacWeb

/// A configuration with the files beside it and the policy that follows from them, all of which hold together.
package struct HeldConfiguration: Sendable {
    package let configuration: Configuration
    package let policy: AccessPolicy?
    package let openness: Openness
    /// Faults with which a daemon runs, but which an operator should mend; each names its remedy.
    package private(set) var warnings: [String] = []
    private let files: SideFiles

    /// Reads the files beside the configuration and works out the policy.
    ///
    /// - Parameter configuration: The settings.
    /// - Throws: ``ConfigurationError`` or ``ConfigurationFault``: the reason why the configuration cannot hold.
    package init(_ configuration: Configuration) throws {
        try self.init(configuration, after: SideFiles(), at: configuration.listeners)
    }

    private init(_ configuration: Configuration, after earlier: SideFiles, at listeners: [ListenerSetting]) throws {
        var files = SideFiles(versionsOf: earlier)
        for file in configuration.access.sideFiles { try files.read(file) }
        try self.init(configuration, files, at: listeners)
    }

    /// Works out a configuration for the listeners of a daemon, which it keeps until it ends.
    private init(_ configuration: Configuration, _ files: SideFiles, at listeners: [ListenerSetting]) throws {
        let access = configuration.access
        self.configuration = configuration
        self.files = files
        self.openness = try configuration.openness(of: access, at: listeners)
        do throws(RuleError) {
            self.policy = try access.policy(with: files.tokens, keys: files.keys)
        } catch {
            throw ConfigurationError(file: access.tokenFile ?? "", "\(error)")
        }
        self.warnings = self.foundWarnings
    }

    /// The tokens of the token file.
    package var tokens: [StoredToken] { self.files.tokens }

    /// The number of keys of all issuers.
    package var keyCount: Int { self.files.keys.values.reduce(0) { $0 + $1.count } }

    /// The files that a running daemon reads again when they have changed.
    package var sideFiles: [SideFile] { self.configuration.access.sideFiles }

    /// The configuration that holds after another reading of the file.
    ///
    /// A closed daemon stays closed: a file that was saved half should open it to nobody.
    ///
    /// - Parameters:
    ///   - next: The settings that were read.
    ///   - started: The settings with which the daemon started; it keeps their listeners.
    /// - Returns: The configuration.
    /// - Throws: ``ConfigurationError`` or ``ConfigurationFault``: the reason why the present configuration stays.
    package func reloaded(_ next: Configuration, started: Configuration) throws -> HeldConfiguration {
        guard next.access.isClosed || self.policy == nil else {
            let reason =
                "the file has no 'principal', 'jwt', 'token-file' or 'anonymous' any more, so racd would be open to all"
            throw ConfigurationError(file: next.file?.path ?? "", "\(reason): restart racd if that is meant")
        }
        return try HeldConfiguration(next, after: self.files, at: started.listeners(withFilesOf: next))
    }

    /// The present configuration with what a file beside it has now; nil if the file is as it was.
    ///
    /// Each file is read apart, so that a fault in one of them does not keep back a change of another.
    package func withNew(_ file: SideFile, started: Configuration) throws -> HeldConfiguration? {
        guard FileVersion(of: file.path) != self.files.versions[file] else { return nil }
        var files = self.files
        try files.read(file)
        return try HeldConfiguration(self.configuration, files, at: started.listeners(withFilesOf: self.configuration))
    }

    /// The settings that differ from those of the start and that a running daemon keeps.
    package func needingRestart(since started: Configuration) -> [SettingKey] {
        let now = self.configuration
        return SettingKey.allCases.filter { key in
            switch key {
            case .data: now.storage != started.storage
            case .durability: now.durability != started.durability
            case .maxFrame: now.maxFrame != started.maxFrame
            case .threads: now.threads != started.threads
            case .logFormat: now.logFormat != started.logFormat
            case .socketMode: now.socketRights.mode != started.socketRights.mode
            case .socketGroup: now.socketRights.group != started.socketRights.group
            case .listen: now.listeners.map(\.address) != started.listeners.map(\.address)
            case .http: (now.web == nil) != (started.web == nil)
            case .origins: now.web?.origins != started.web?.origins
            case .hosts: now.web?.hosts != started.web?.hosts
            case .console: now.web?.folder != started.web?.folder
            // The key `data` stands for a change from or to `memory`, too.
            case .memory, .maxConnections, .logLevel, .insecure, .tokenFile, .anonymous: false
            }
        }
    }

    /// The part that a running daemon takes.
    package var change: ServerChanges.Change {
        .init(
            access: self.policy,
            maximumConnections: self.configuration.maxConnections,
            tls: Dictionary(
                self.configuration.listeners.compactMap { listener in listener.tls.map { (listener.address, $0) } }
            ) {
                first,
                _ in first
            }
        )
    }
}

extension Configuration {
    /// The listeners of a daemon that keeps its addresses, and takes the certificates of another configuration for them.
    fileprivate func listeners(withFilesOf next: Configuration) -> [ListenerSetting] {
        self.listeners.map { listener in next.listeners.first { $0.address == listener.address } ?? listener }
    }
}
