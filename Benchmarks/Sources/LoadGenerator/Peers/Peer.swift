import FoundationEssentials

/// A server that can be measured: how it is started, with which settings, and what it speaks.
package struct Peer: Sendable {
    /// The purpose of a started server; each one has settings of its own.
    package enum Purpose: Sendable {
        /// Values of one channel go to everybody else; nothing needs to be kept. So it is with the next two.
        case broadcast
        /// There are so many pairs of connections: the first `pairs` write, each of the others reads one of them.
        case pairs(Int)
        /// Values go to those who asked for their channel.
        case routed
        /// A stored value is on disk before it is acknowledged, as far as the server can do that.
        case durable
        /// Stored values are there again after an orderly end and a new start.
        case kept
        /// Values are stored and asked for by HTTP, and nothing needs to be kept.
        case http
    }

    /// How a client speaks to a server.
    package enum Transport: Sendable {
        case tcp
        /// A server's own protocol inside WebSocket, without TLS.
        case webSocket
    }

    /// Where a server is started, and what protects it.
    package struct Site: Sendable {
        package var port: UInt16
        package var folder: String
        package var protection: Protection
    }

    /// How a peer is started for a purpose.
    package struct Setup: Sendable {
        /// Arguments of the program.
        var arguments: [String]
        /// A file of settings, whose path is appended to the arguments.
        var settings: String?
        /// More files in the server's folder, by name.
        var files: [String: String]
        /// A server that this one stands before, which is started first.
        var backend: Program?
        /// The promise of the others that it lacks; it is left out then where the best is sought.
        package var caveat: String?

        package init(
            _ arguments: [String],
            settings: String? = nil,
            files: [String: String] = [:],
            backend: Program? = nil,
            caveat: String? = nil
        ) {
            self.arguments = arguments
            self.settings = settings
            self.files = files
            self.backend = backend
            self.caveat = caveat
        }
    }

    /// A program and its arguments.
    package struct Program: Sendable {
        /// The paths that it may have; the first that exists is used.
        var paths: [String]
        var arguments: [String]

        /// The path and the arguments.
        ///
        /// - Throws: If it is not installed.
        func command() throws -> [String] {
            guard let path = self.paths.first(where: { FileManager.default.isExecutableFile(atPath: $0) }) else {
                throw SetupError("it is not installed: there is no \(self.paths.joined(separator: ", no "))")
            }
            return [path] + self.arguments
        }
    }

    package let name: String
    /// Whether it is one of those that racd is compared with, and no yardstick.
    package let isRival: Bool
    /// Where the program may be.
    private let programs: [String]
    private let setup: @Sendable (Purpose, Site) -> Setup?
    private let makeDialect: @Sendable (Purpose, Int, Credentials?) -> any Dialect
    /// Whether it asks nobody who they are, though the others do.
    private let isOpen: Bool

    /// Describes a peer.
    ///
    /// - Parameters:
    ///   - name: The name in tables and options.
    ///   - isRival: Whether racd is compared with it.
    ///   - programs: Paths that the program may have; the first that exists is used.
    ///   - isOpen: Whether it asks nobody who they are, though the others do.
    ///   - dialect: The client's side of connection number so-and-so by purpose, with its credentials.
    ///   - setup: Settings by purpose and site; nil for what the peer has no like of.
    package init(
        _ name: String,
        isRival: Bool,
        programs: [String],
        isOpen: Bool = false,
        dialect: @escaping @Sendable (Purpose, Int, Credentials?) -> any Dialect,
        setup: @escaping @Sendable (Purpose, Site) -> Setup?
    ) {
        self.name = name
        self.isRival = isRival
        self.programs = programs
        self.isOpen = isOpen
        self.setup = setup
        self.makeDialect = dialect
    }

    /// Its settings for a purpose, for people to read; nil if it has no like of that.
    package func setup(for purpose: Purpose, _ protection: Protection = Protection()) -> Setup? {
        self.setup(for: purpose, at: Site(port: 0, folder: "FOLDER", protection: protection))
    }

    private func setup(for purpose: Purpose, at site: Site) -> Setup? {
        var site = site
        if self.isOpen { site.protection = site.protection.withoutRules }
        return self.setup(purpose, site)
    }

    /// The client's side of connection number so-and-so.
    func dialect(for purpose: Purpose, _ protection: Protection) -> @Sendable (Int) -> any Dialect {
        let credentials = self.isOpen ? nil : protection.credentials
        return { [makeDialect] in makeDialect(purpose, $0, credentials) }
    }

    /// The programs to start, one after the other, with their arguments: the last one takes the clients.
    ///
    /// The files that they read are written to the site's folder.
    func commands(for purpose: Purpose, at site: Site) throws -> [[String]] {
        guard let setup = self.setup(for: purpose, at: site) else {
            throw SetupError("\(self.name) has no like of this")
        }
        for (name, text) in setup.files { try Self.write(text, to: "\(site.folder)/\(name)") }
        var program = Program(paths: self.programs, arguments: setup.arguments)
        if let settings = setup.settings {
            let path = "\(site.folder)/settings.conf"
            try Self.write(settings, to: path)
            program.arguments.append(path)
        }
        return try [setup.backend, program].compactMap { try $0?.command() }
    }

    /// Secrets are among it: nobody else may read it.
    private static func write(_ text: String, to path: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }
}

extension Peer.Setup: CustomStringConvertible {
    package var description: String {
        let files = self.files.sorted { $0.key < $1.key }.map { "\($0.key): \(Self.inOneLine($0.value))" }
        let backend = self.backend.map { ["behind it:"] + $0.arguments } ?? []
        let all = self.arguments + [self.settings.map(Self.inOneLine)].compactMap(\.self) + files + backend
        return all.joined(separator: " ")
    }

    private static func inOneLine(_ text: String) -> String {
        text.split(separator: "\n").joined(separator: "; ")
    }
}
