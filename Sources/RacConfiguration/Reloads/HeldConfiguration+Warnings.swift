import RacAccess
import RacServer

extension HeldConfiguration {
    /// The warnings of the present moment: the rights of files may change.
    var foundWarnings: [String] { self.opennessWarnings + self.fileWarnings + self.tokenWarnings + self.proofWarnings }

    /// The warnings of a check by the operator, who may read more than the daemon, and sees no log of it.
    package var checkWarnings: [String] {
        self.warnings + self.configuration.listeners.compactMap { $0.tls?.warning } + self.barredFiles
    }

    /// The files that the owner of the data folder, who runs the daemon, cannot read.
    private var barredFiles: [String] {
        guard case .folder(let folder) = self.configuration.storage, let access = FileAccess(ofOwner: folder) else {
            return []
        }
        let tls = self.configuration.listeners.compactMap(\.tls)
        let files =
            [self.configuration.file?.path].compactMap(\.self) + self.sideFiles.map(\.path)
            + tls.flatMap { [$0.certificateFile, $0.keyFile, $0.clients.authorityFile].compactMap(\.self) }
        var known: Set<String> = []
        return files.filter { known.insert($0).inserted && access.isBarred(from: $0) }
            .map { "\($0): the owner of \(folder) cannot read the file, and so not a racd of that user" }
    }

    /// The proofs of principals that nobody can show, with their lines.
    private var proofWarnings: [String] {
        guard let file = self.configuration.file else { return [] }
        let faults = file.makeFaultList()
        let asksForCertificates = self.configuration.listeners.contains { $0.clients != .none }
        for (number, principal) in file.access.principals.enumerated() {
            func note(_ message: String, of key: String) { faults.note(message, of: ["principal", "\(number)", key]) }
            if let end = principal.tokens.first?.expiresAt, end <= Moment.now {
                note("the time is over, so no token of '\(principal.name)' is good", of: "token-expires")
            }
            if let name = principal.certificates.first, !asksForCertificates {
                note("'\(name)' never applies: no [[listen]] has the key 'client-ca'", of: "certificate")
            }
        }
        return faults.faults.isEmpty ? [] : ConfigurationError(file: file.path, faults: faults.faults).lines
    }

    private var opennessWarnings: [String] {
        func addresses(_ isMeant: (ListenerSetting) -> Bool) -> String {
            self.configuration.listeners.filter(isMeant).map { "\($0.address)" }.joined(separator: ", ")
        }
        return switch self.openness {
        case .openHere, .closed(isExposed: false): []
        case .openByDecision:
            [
                "whoever reaches \(addresses(\.isOpen)) may read and change everything: configure principals"
            ]
        case .closed(isExposed: true):
            ["tokens travel in clear text to \(addresses(\.isExposed)): give the listener a certificate"]
        }
    }

    private var fileWarnings: [String] {
        var warnings: [String] = []
        func look(_ path: String, secrets: String?, harm: String? = nil) {
            guard let mode = FileMode.status(of: path).map(FileMode.init) else { return }
            let faults = [
                harm.flatMap { mode.writable(path, allows: $0) }, secrets.flatMap { mode.readable(path, has: $0) },
            ]
            warnings += faults.compactMap { $0.map { "\(path): \($0)" } }
        }
        warnings += self.configuration.awaitedFolders.map { "there is no folder \($0) yet: the service has to make it" }
        let access = self.configuration.access
        if let file = self.configuration.file {
            let hasTokens = access.principals.contains { !$0.tokens.isEmpty }
            look(file.path, secrets: hasTokens ? "hashes of tokens" : nil, harm: "give themselves every right")
        }
        if let path = access.tokenFile { look(path, secrets: "hashes of tokens") }
        for tls in self.configuration.listeners.compactMap(\.tls) {
            look(tls.keyFile, secrets: "the key of a certificate", harm: "replace the key")
            if let path = tls.clients.authorityFile { look(path, secrets: nil, harm: "give themselves every right") }
        }
        return warnings
    }

    private var tokenWarnings: [String] {
        self.tokenFileWarnings
            + self.configuration.access.standing(for: self.tokens).idle.map { token, reason in
                "the token \(token.id) of '\(token.name)' stands for nobody: \(reason)"
            }
    }

    private var tokenFileWarnings: [String] {
        guard let path = self.configuration.access.tokenFile else { return [] }
        let harm = "nobody can sign in by a token"
        guard let version = FileVersion(of: path) else { return ["there is no token file \(path) yet: \(harm)"] }
        return version.isEmpty ? ["\(path): the file is empty: \(harm)"] : []
    }
}
