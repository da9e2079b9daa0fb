import CSQLite
import Glibc

extension StoreFile {
    /// The size from which a file is worth writing anew, in bytes.
    private static let leastCompactedBytes: Int64 = 16 << 20

    /// Whether most of a large file is free pages, which deleted and shortened values have left.
    var isMostlyFree: Bool {
        get throws(StoreError) {
            guard let database = self.openDatabase else { return false }
            return try StoreError.translating(self.path) {
                let sizes = try ["page_count", "freelist_count", "page_size"].map { name in
                    try database.values(of: "PRAGMA \(name)") { try $0.integer() }.first ?? 0
                }
                return sizes[0] * sizes[2] >= Self.leastCompactedBytes && sizes[1] > sizes[0] / 2
            }
        }
    }

    /// Writes the file anew without its free pages, before anybody else uses it.
    ///
    /// The old file stays if the disk has no room for a second one, or if a backup reads the old one.
    ///
    /// - Parameter folder: The folder of the file.
    /// - Returns: Whether the file is a new one.
    /// - Throws: ``StoreError`` if the file cannot be opened again.
    mutating func compact(in folder: DataFolder) throws(StoreError) -> Bool {
        let isWritten = self.writeCompacted(to: folder.unfinishedDatabase)
        // Only the last connection to a database removes its log.
        let isReplaced =
            isWritten && !folder.contains(folder.log) && rename(folder.unfinishedDatabase, folder.database) == 0
        unlink(folder.unfinishedDatabase)
        if isReplaced { try DataFolder.syncFolder(folder.path) }
        try self.open()
        return isReplaced
    }

    /// Copies what the file has to another one, and closes it.
    private mutating func writeCompacted(to path: String) -> Bool {
        do {
            unlink(path)
            Glibc.close(try DataFolder.makeEmptyFile(path))
            guard let database = self.openDatabase else { return false }
            try database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
            try database.copy(to: path)
            try self.close()
            return true
        } catch {
            try? self.close()
            return false
        }
    }
}
