import Glibc
import RacAccess

/// A file of tokens: their hashes, principals and times, never the tokens.
///
/// Programs that change it take turns by a lock on its folder. A change is another file that takes the place of the first, so
/// a reader sees one state or the other.
package struct TokenFile: Sendable {
    package let path: String

    package init(path: String) {
        self.path = path
    }

    /// The tokens; none if there is no file.
    ///
    /// - Throws: ``ConfigurationError``: the file cannot be read, others may write it, or all its faults.
    package func read() throws(ConfigurationError) -> [StoredToken] {
        guard let status = FileMode.status(of: self.path) else { return [] }
        guard !FileMode.isFolder(self.path) else {
            throw ConfigurationError(file: self.path, "this is a folder, and no token file")
        }
        if let fault = FileMode(status).writable(self.path, allows: "give themselves every right") {
            throw ConfigurationError(file: self.path, fault)
        }
        return try self.tokens(in: try FileText.read(self.path))
    }

    /// Reads the text of a file.
    ///
    /// - Throws: ``ConfigurationError``: all faults of the text.
    package func tokens(in text: String) throws(ConfigurationError) -> [StoredToken] {
        let items: [String: TOMLItem]
        let lines: KeyLines
        do {
            (items, lines) = try TOMLParser.read(text)
        } catch {
            throw ConfigurationError(file: self.path, faults: [error])
        }
        let faults = FaultList(lines)
        var table = TableReader(items, faults)
        let tokens = (table.tables("token") ?? []).compactMap(Self.token)
        table.end()
        guard faults.faults.isEmpty else { throw ConfigurationError(file: self.path, faults: faults.faults) }
        return tokens
    }

    private static func token(_ table: TableReader) -> StoredToken? {
        var table = table
        for key in ["name", "hash"] { table.require(key) }
        let name = table.string("name", as: PrincipalName.init)
        let roles = table.strings("roles")
        let hash = table.string("hash", as: { try TokenHash($0) })
        let created = table.time("created")
        let expires = table.time("expires")
        table.end()
        guard let name, let hash else { return nil }
        return StoredToken(name: name, roles: roles, hash: hash, createdAt: created, expiresAt: expires)
    }

    /// The text of a file with these tokens.
    package static func text(of tokens: [StoredToken]) -> String {
        let head = """
            # The tokens of racd, written by 'racd token'. A hash is no token; only the owner of the file may write it.

            """
        return head + tokens.map { "\n[[token]]\n" + Self.lines(of: $0).joined(separator: "\n") + "\n" }.joined()
    }

    private static func lines(of token: StoredToken) -> [String] {
        var lines = ["name = \(TOMLWriting.string(token.name.text))"]
        if let roles = token.roles { lines.append("roles = \(TOMLWriting.strings(roles))") }
        lines.append("hash = \"\(token.hash)\"")
        if let created = token.createdAt { lines.append("created = \(Moment.text(created))") }
        if let expires = token.expiresAt { lines.append("expires = \(Moment.text(expires))") }
        return lines
    }

    /// Changes the tokens, while no other program does.
    ///
    /// - Parameter change: The tokens that the file is to have.
    /// - Throws: ``ConfigurationError``, the error of `change`, or a fault of the system; the file is as before.
    package func change(_ change: ([StoredToken]) throws -> [StoredToken]) throws {
        var file = self
        // The file that a link leads to is replaced, not the link.
        if let target = realpath(self.path, nil) {
            file = TokenFile(path: String(cString: target))
            free(target)
        }
        let folder = try FolderTurn(of: file.path)
        let text = Self.text(of: try change(try file.read()))
        guard text.utf8.count <= FileText.limit else {
            let fault = "the file would be longer than \(FileText.limit >> 20) MiB"
            throw ConfigurationError(file: file.path, "\(fault): revoke tokens whose time is over")
        }
        try folder.replace(file.path, with: text)
    }
}
