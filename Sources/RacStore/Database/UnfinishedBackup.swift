import Glibc

/// The file of a backup until it is complete; a lock shows other backups that somebody writes it.
struct UnfinishedBackup: ~Copyable {
    let path: String
    private let descriptor: Int32

    /// Makes the file, in the place of one that a killed backup has left.
    init(of file: String) throws(StoreError) {
        let path = "\(file).new"
        try Self.removeLeftOver(path)
        let descriptor = try DataFolder.makeEmptyFile(path)
        ByteLock.take(descriptor)
        self.path = path
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(self.descriptor)
    }

    /// Removes the file, and the files that SQLite has beside it.
    func remove() {
        Self.remove(self.path)
    }

    /// Gives the file, which is complete, its final name.
    ///
    /// - Parameters:
    ///   - file: The final name.
    ///   - replaces: Whether it takes the place of another file.
    /// - Throws: ``StoreError`` if the name is taken, or if the file cannot have it.
    func finish(as file: String, replaces: Bool) throws(StoreError) {
        // A kill between the two leaves both names of the complete file.
        if !replaces, link(self.path, file) == 0 {
            unlink(self.path)
        } else {
            guard replaces || errno != EEXIST else { throw .exists(file: file) }
            // A file system without links has no call that finds the name taken.
            guard rename(self.path, file) == 0 else { throw .unusable(path: file, reason: DataFolder.lastFault) }
        }
        try DataFolder.syncFolder(DataFolder.parent(of: file))
    }

    private static func remove(_ path: String) {
        for rest in ["", "-journal", "-wal", "-shm"] { unlink(path + rest) }
    }

    private static func removeLeftOver(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { Glibc.close(descriptor) }
        guard DatabaseHeader.isBegun(descriptor) else { throw .exists(file: path) }
        guard ByteLock.take(descriptor), FileIdentity(at: path) == FileIdentity(of: descriptor) else {
            throw .underWay(file: path)
        }
        self.remove(path)
    }
}
