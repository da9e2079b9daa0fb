import Logging
import RacConfiguration
import RacServer

/// Keeps the configuration of a running daemon, and replaces it when a file has another one that can hold.
actor ConfigurationKeeper {
    private let started: Configuration
    private let words: Configuration.Words
    private let threshold: LogThreshold
    private let changes: ServerChanges
    private let logger: Logger
    private var held: HeldConfiguration

    init(
        _ held: HeldConfiguration,
        words: Configuration.Words,
        threshold: LogThreshold,
        changes: ServerChanges,
        logger: Logger
    ) {
        self.started = held.configuration
        self.words = words
        self.threshold = threshold
        self.changes = changes
        self.logger = logger
        self.held = held
    }

    /// Logs the file from which the daemon starts, and the faults with which it does.
    func start() {
        if let file = self.started.file {
            self.logger.info(
                "the configuration was read",
                metadata: self.facts.merging(["file": "\(file.path)"]) { $1 }
            )
        }
        for warning in self.held.warnings { self.logger.warning("\(warning)") }
    }

    /// Logs that a SIGHUP has no effect.
    func reportNothingToRead() {
        self.logger.notice("there is nothing to read again: racd has neither a configuration file nor a certificate")
    }

    /// Reads the configuration file again; all of it holds or none.
    func reload() {
        self.changes.renewCertificates()
        guard let path = self.started.file?.path else { return }
        do {
            let next = Configuration(file: try ConfigurationFile(path: path), words: self.words)
            try next.checkPlaces()
            self.take(try self.held.reloaded(next, started: self.started))
            self.logger.audit(.reload, "the configuration was read again", self.facts)
            let kept = self.held.needingRestart(since: self.started).map(\.rawValue)
            guard !kept.isEmpty else { return }
            let keys: Logger.Metadata = ["keys": "\(kept.joined(separator: ", "))"]
            self.logger.warning("some changed settings hold after a restart", metadata: keys)
        } catch {
            self.refuse(.reload, "the configuration was not taken, and the one before holds", error)
        }
    }

    /// Reads the token file, and the key files of issuers, again whenever they have changed, until the task is cancelled.
    ///
    /// A look costs a system call for each file.
    func lookRepeatedly() async {
        while (try? await Task.sleep(for: .seconds(1))) != nil {
            for file in self.held.sideFiles { self.look(at: file) }
        }
    }

    private func look(at file: SideFile) {
        do {
            let next = try self.held.withNew(file, started: self.started)
            self.refused[file] = nil
            guard let next else { return }
            self.take(next)
            switch file {
            case .tokens: self.logger.audit(.token, "the tokens were read again", self.facts)
            case .keys(let path): self.logger.audit(.keys, "the keys of an issuer were read again", ["file": "\(path)"])
            }
        } catch {
            // A file that stays as it is has reported its fault already.
            guard self.refused.updateValue("\(error)", forKey: file) != "\(error)" else { return }
            switch file {
            case .tokens: self.refuse(.token, "the token file was not taken, and the tokens before hold", error)
            case .keys: self.refuse(.keys, "the key file of an issuer was not taken, and the keys before hold", error)
            }
        }
    }

    /// The last fault of each file.
    private var refused: [SideFile: String] = [:]

    private func take(_ next: HeldConfiguration) {
        let old = self.held
        self.held = next
        self.threshold.level = next.configuration.logLevel
        self.changes.apply(next.change)
        self.audit(Set(next.tokens).subtracting(old.tokens), "a token was added")
        self.audit(Set(old.tokens).subtracting(next.tokens), "a token was revoked")
        let known = Set(old.warnings)
        for warning in next.warnings where !known.contains(warning) { self.logger.warning("\(warning)") }
    }

    private func audit(_ tokens: Set<StoredToken>, _ message: Logger.Message) {
        for token in tokens.sorted(by: { $0.id < $1.id }) {
            self.logger.audit(.token, message, ["principal": "\(token.name)", "token": "\(token.id)"])
        }
    }

    private var facts: Logger.Metadata {
        let access = self.held.configuration.access
        let facts: Logger.Metadata = [
            "roles": .stringConvertible(access.roles.count),
            "principals": .stringConvertible(access.principals.count),
            "tokens": .stringConvertible(self.held.tokens.count),
        ]
        return access.issuers.isEmpty ? facts : facts.merging(["keys": .stringConvertible(self.held.keyCount)]) { $1 }
    }

    private func refuse(_ kind: AuditKind, _ message: Logger.Message, _ error: any Error) {
        let lines = (error as? ConfigurationError)?.lines ?? ["\(error)"]
        for line in lines { self.logger.audit(kind, message, level: .error, ["reason": "\(line)"]) }
    }
}
