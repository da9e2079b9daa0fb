import Glibc

/// The folder with the files of a store, and the names of these files.
struct DataFolder: Sendable {
    let path: String

    var database: String { "\(self.path)/rac.db" }
    var log: String { "\(self.path)/rac.db-wal" }
    /// An incomplete database; it gets its final name when it is complete.
    var unfinishedDatabase: String { "\(self.path)/rac.db.new" }

    /// The lock, which lies beside the database: by a link two folders may have one database.
    var lock: String {
        guard self.isLinked, let real = realpath(self.database, nil) else { return "\(self.path)/racd.lock" }
        defer { free(real) }
        let file = String(cString: real)
        return file.hasSuffix("/rac.db") ? "\(Self.parent(of: file))/racd.lock" : "\(file).lock"
    }

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
        Glibc.close(try Self.makeEmptyFile(self.unfinishedDatabase))
        try body(self.unfinishedDatabase)
        guard rename(self.unfinishedDatabase, self.database) == 0 else {
            throw .unusable(path: self.database, reason: Self.lastFault)
        }
        try Self.syncFolder(self.path)
    }

    /// Refuses the log of another database, which SQLite would write over a backup that was put here.
    ///
    /// A file says whether it has had a log: a backup never has.
    func checkLog() throws(StoreError) {
        guard Self.beginning(of: self.log, bytes: 1)?.isEmpty == false else { return }
        let (versions, place) = (2, 18)
        guard let header = Self.beginning(of: self.database, bytes: place + versions), header.count == place + versions
        else { return }
        if header.suffix(versions).allSatisfy({ $0 == 1 }) { throw .strayLog(file: self.log) }
    }

    /// Whether the database lies elsewhere, and its name here is a link to it.
    var isLinked: Bool {
        var status = stat()
        return lstat(self.database, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
    }

    /// The first bytes of a file, as many as it has; nil if it cannot be read.
    private static func beginning(of file: String, bytes count: Int) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { Glibc.close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, count) }
        return read >= 0 ? Array(bytes.prefix(read)) : nil
    }

    /// Makes a file that only its owner can read; SQLite gives the log and index beside it equal rights.
    ///
    /// - Returns: The file's descriptor, which the caller closes.
    static func makeEmptyFile(_ path: String) throws(StoreError) -> Int32 {
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw errno == EEXIST ? .exists(file: path) : .unusable(path: path, reason: Self.lastFault)
        }
        return descriptor
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
