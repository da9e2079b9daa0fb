import RacAccess

/// A file beside the configuration file, which a running daemon reads again when it has changed.
package enum SideFile: Hashable, Sendable {
    /// The token file.
    case tokens(String)
    /// The JWKS file of an issuer.
    case keys(String)

    package var path: String {
        switch self {
        case .tokens(let path), .keys(let path): path
        }
    }
}

/// The contents of all files beside the configuration file.
struct SideFiles {
    private(set) var tokens: [StoredToken] = []
    /// The keys of issuers, by the paths of their files.
    private(set) var keys: [String: JSONWebKeySet] = [:]
    /// The state of each file at which it was read last; none for a file that was not there.
    private(set) var versions: [SideFile: FileVersion] = [:]

    init() {}

    /// No contents yet, for another reading of the files.
    init(versionsOf earlier: SideFiles) {
        self.versions = earlier.versions
    }

    /// Reads a file in place of what it had before.
    ///
    /// A file that was read before is there, or it is a fault: its end is no decision about all that it had. A token file that
    /// has become empty is the rest of a copy: `racd token` leaves a line of its own.
    mutating func read(_ file: SideFile) throws(ConfigurationError) {
        // A change while the file is read makes another version, so the next look sees it.
        let version = FileVersion(of: file.path)
        guard version != nil || self.versions[file] == nil else {
            throw ConfigurationError(file: file.path, "the file is not there any more")
        }
        if case .tokens = file, version?.isEmpty == true, self.versions[file]?.isEmpty == false {
            let help = "revoke tokens by 'racd token revoke'"
            throw ConfigurationError(file: file.path, "the file has become empty, which revokes nobody: \(help)")
        }
        switch file {
        case .tokens(let path): self.tokens = try TokenFile(path: path).read()
        case .keys(let path): self.keys[path] = try KeyFile(path: path).read()
        }
        self.versions[file] = version
    }
}

extension AccessSettings {
    /// The files that the settings name, each once.
    var sideFiles: [SideFile] {
        var known: Set<SideFile> = []
        let files = [self.tokenFile].compactMap { $0.map(SideFile.tokens) } + self.issuers.map { .keys($0.keyFile) }
        return files.filter { known.insert($0).inserted }
    }
}
