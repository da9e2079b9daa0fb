import Glibc
import RacConnection
import RacProtocol

/// The contexts of a person: a file for each in `contexts`, and the name of the one in use in `context`.
struct ContextFolder {
    /// The folder of rac; nil if no variable of the environment says where it is.
    let path: String?

    /// - Parameter variable: The variables of the environment that are not empty.
    init(variable: (String) -> String?) {
        let folder = variable("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        self.path = (folder ?? variable("HOME").map { "\($0)/.config" }).map { "\($0)/rac" }
    }

    private func file(of name: ContextName) throws(CommandFailure) -> PrivateFile {
        PrivateFile(path: "\(try self.root)/contexts/\(name)")
    }

    private var root: String {
        get throws(CommandFailure) {
            if let path { return path }
            throw CommandFailure(
                .other,
                code: "context",
                "contexts need a home: neither HOME nor XDG_CONFIG_HOME is set"
            )
        }
    }

    // MARK: Reading

    /// The names of all contexts in their order, without the one that is always there.
    var names: [ContextName] {
        guard let path, let folder = opendir("\(path)/contexts") else { return [] }
        defer { closedir(folder) }
        var names: [ContextName] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            // A file that is being written has a name with a further part, and is not there for long.
            if let name = try? ContextName(name) { names.append(name) }
        }
        return names.sorted()
    }

    /// A context by its name.
    ///
    /// - Throws: ``CommandFailure`` with 3 if there is none, or with 1 if its file cannot be understood.
    func context(_ name: ContextName) throws(CommandFailure) -> Context {
        let file = try self.file(of: name)
        guard let text = try file.text() else { throw self.missing(name) }
        do {
            return try Context(text: text)
        } catch {
            throw CommandFailure(.other, code: "context", "\(file.path): \(error.reason)")
        }
    }

    private func missing(_ name: ContextName) -> CommandFailure {
        let nearest = Spelling.nearest(to: name.description, among: self.names.map(\.description))
        let help = nearest.map { "did you mean '\($0)'?" } ?? "`racctl context list` shows those that there are"
        return CommandFailure(.missing, code: "no-such-context", "there is no context '\(name)': \(help)")
    }

    /// The name of the context in use.
    var used: ContextName {
        get throws(CommandFailure) {
            guard let path, let text = try PrivateFile(path: "\(path)/context").text() else { return .standard }
            let word = text.prefix { !$0.isWhitespace }
            guard let name = try? ContextName(String(word)) else {
                let help = "`racctl context use NAME` writes it anew"
                throw CommandFailure(.other, code: "context", "\(path)/context has no context's name: \(help)")
            }
            return name
        }
    }

    // MARK: Writing

    /// Adds a context.
    ///
    /// - Parameters:
    ///   - context: The context.
    ///   - name: Its name.
    ///   - isReplacing: Whether it may take the place of another one.
    /// - Throws: ``CommandFailure`` with 4 if there is one of that name, or with 1 if it cannot be written.
    func add(
        _ context: Context,
        as name: ContextName,
        replacing isReplacing: Bool = false
    ) throws(CommandFailure) {
        let file = try self.file(of: name)
        do {
            try self.prepare()
            try file.write(context.text, isNew: !isReplacing)
        } catch let failure where failure.number == EEXIST {
            let help = "--replace replaces it"
            throw CommandFailure(.conflict, code: "exists", "there is a context '\(name)' already: \(help)")
        } catch {
            throw Self.cannotWrite(file.path, error)
        }
    }

    /// Makes a context the one that is used where nothing else is named.
    ///
    /// - Throws: ``CommandFailure`` with 3 if there is none of that name, or with 1 if that cannot be written.
    func use(_ name: ContextName) throws(CommandFailure) {
        let file = PrivateFile(path: "\(try self.root)/context")
        guard name != .standard else { return try self.remove(file) }
        _ = try self.context(name)
        do {
            try self.prepare()
            try file.write("\(name)\n", isNew: false)
        } catch {
            throw Self.cannotWrite(file.path, error)
        }
    }

    /// Removes a context; its token file stays.
    ///
    /// - Throws: ``CommandFailure`` with 3 if there is none of that name, or with 1 if it cannot be removed.
    func remove(_ name: ContextName) throws(CommandFailure) {
        let file = try self.file(of: name)
        guard access(file.path, F_OK) == 0 else { throw self.missing(name) }
        if (try? self.used) == name { try self.use(.standard) }
        try self.remove(file)
    }

    private func remove(_ file: PrivateFile) throws(CommandFailure) {
        guard unlink(file.path) == 0 || errno == ENOENT else {
            let reason = SystemFailure(number: errno).reason
            throw CommandFailure(.other, code: "context", "cannot remove \(file.path): \(reason)")
        }
    }

    /// Makes the folders, which only their owner may enter.
    private func prepare() throws(SystemFailure) {
        guard let path else { return }
        let parts = "\(path)/contexts".split(separator: "/")
        for count in parts.indices.map({ $0 + 1 }) {
            let folder = "/" + parts.prefix(count).joined(separator: "/")
            if mkdir(folder, 0o700) == 0 { continue }
            let failure = SystemFailure(number: errno)
            guard failure.number == EEXIST || access(folder, X_OK) == 0 else { throw failure }
        }
    }

    private static func cannotWrite(_ path: String, _ failure: SystemFailure) -> CommandFailure {
        CommandFailure(.other, code: "context", "cannot write \(path): \(failure.reason)")
    }
}
