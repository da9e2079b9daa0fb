import Glibc

/// The folder with the files of a store, and the names of these files.
struct DataFolder: Sendable {
    let path: String

    var database: String { "\(self.path)/rac.db" }
    var log: String { "\(self.path)/rac.db-wal" }
    /// An incomplete database; it gets its final name when it is complete.
    var unfinishedDatabase: String { "\(self.path)/rac.db.new" }
    var lock: String { "\(self.path)/racd.lock" }

    /// Makes the folder, for its owner only, unless it exists.
    func make() throws(StoreError) {
        try Self.makeFolder(self.path)
        let descriptor = open(self.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unusable(path: self.path, reason: Self.lastFault) }
        Glibc.close(descriptor)
    }

    func contains(_ file: String) -> Bool {
        access(file, F_OK) == 0
    }

    /// Makes the database under its unfinished name and then renames it, so that `rac.db` is complete or does not exist.
    func makeDatabase(_ body: (String) throws(StoreError) -> Void) throws(StoreError) {
        guard !self.contains(self.log) else { throw .strayLog(file: self.log) }
        for rest in ["", "-journal", "-wal", "-shm"] { unlink(self.unfinishedDatabase + rest) }
        try Self.makeEmptyFile(self.unfinishedDatabase)
        try body(self.unfinishedDatabase)
        guard rename(self.unfinishedDatabase, self.database) == 0 else {
            throw .unusable(path: self.database, reason: Self.lastFault)
        }
        try Self.syncFolder(self.path)
    }

    /// Makes a file that only its owner can read; SQLite gives the log and index beside it equal rights.
    static func makeEmptyFile(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .exists(file: path) : .unusable(path: path, reason: Self.lastFault)
        }
        Glibc.close(descriptor)
    }

    /// The system's message about the call that just failed.
    static var lastFault: String { String(cString: strerror(errno)) }

    static func parent(of path: String) -> String {
        guard let slash = path.dropLast().lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    /// Syncs a folder's list of names to the disk: a file without its name is lost.
    static func syncFolder(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unusable(path: path, reason: Self.lastFault) }
        defer { Glibc.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw .unusable(path: path, reason: Self.lastFault) }
    }

    private static func makeFolder(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) == 0 { return try self.syncFolder(self.parent(of: path)) }
        let fault = errno
        guard fault != EEXIST else { return }
        let parent = self.parent(of: path)
        guard fault == ENOENT, parent != ".", parent != "/" else {
            throw .unusable(path: path, reason: String(cString: strerror(fault)))
        }
        try self.makeFolder(parent)
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw .unusable(path: path, reason: Self.lastFault)
        }
        try self.syncFolder(parent)
    }
}
