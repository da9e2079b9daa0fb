package import RacAccess
package import RacServer

/// A configuration with the tokens and the policy that follow from it, all of which hold together.
package struct HeldConfiguration: Sendable {
    package let configuration: Configuration
    package let tokens: [StoredToken]
    package let policy: AccessPolicy?
    package let openness: Openness
    /// The state of the token file at which the tokens were read.
    package let tokenVersion: TokenFile.Version?
    /// Faults with which a daemon runs, but which an operator should mend; each names its remedy.
    package private(set) var warnings: [String] = []

    /// Reads the tokens and works out the policy.
    ///
    /// - Parameter configuration: The settings.
    /// - Throws: ``ConfigurationError`` or ``ConfigurationFault``: the reason why the configuration cannot hold.
    package init(_ configuration: Configuration) throws {
        try self.init(configuration, at: configuration.listeners)
    }

    /// Works out a configuration for the listeners of a daemon, which it keeps until it ends.
    private init(_ configuration: Configuration, at listeners: [ListenerSetting]) throws {
        let access = configuration.access
        let file = access.tokenFile.map(TokenFile.init)
        self.configuration = configuration
        self.openness = try configuration.openness(of: access, at: listeners)
        // A change while the file is read makes another version, so the next look sees it.
        self.tokenVersion = file?.version
        self.tokens = try file?.read() ?? []
        do throws(RuleError) {
            self.policy = try access.policy(with: self.tokens)
        } catch {
            throw ConfigurationError(file: file?.path ?? "", "\(error)")
        }
        self.warnings = self.foundWarnings
    }

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
                "the file has no 'principal', 'token-file' or 'anonymous' any more, so racd would be open to all"
            throw ConfigurationError(file: next.file?.path ?? "", "\(reason): restart racd if that is meant")
        }
        return try HeldConfiguration(next, at: started.listeners)
    }

    /// The present configuration with the tokens that the token file has now; nil if the file is as it was.
    package func withNewTokens(started: Configuration) throws -> HeldConfiguration? {
        guard let path = self.configuration.access.tokenFile else { return nil }
        guard TokenFile(path: path).version != self.tokenVersion else { return nil }
        return try HeldConfiguration(self.configuration, at: started.listeners)
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
            case .listen: now.listeners != started.listeners
            // The key `data` tells a change from or to `memory`, too.
            case .memory, .maxConnections, .logLevel, .insecure, .tokenFile, .anonymous: false
            }
        }
    }

    /// The part that a running daemon takes.
    package var change: ServerChanges.Change {
        .init(access: self.policy, maximumConnections: self.configuration.maxConnections)
    }
}
