import CSQLite
import Glibc

extension Store {
    /// The revisions that a backup leaves out: more than a daemon gives out in its life behind one.
    ///
    /// A million changes a second take twelve days, and a restored store can be restored again eight thousand times.
    package static let revisionsBehindBackup: UInt64 = 1 << 40

    /// Copies the database of a data folder to a file, also while a racd writes it.
    ///
    /// The copy is the state of one moment and a complete `rac.db` without free pages; in an empty data folder it restores
    /// that state. The restored store gives out none of the revisions that the store, or another store restored from the
    /// same copy, has given out since.
    ///
    /// Isolation: any process and thread; blocks during the copy, while the racd goes on.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - file: The path of the copy; there must be no file yet.
    /// - Throws: ``StoreError``; then there is no `file`.
    package static func backup(folder: String, to file: String) throws(StoreError) {
        let source = try SQLiteConnection.openStoreReadOnly(at: DataFolder(path: folder).database)
        try DataFolder.makeEmptyFile(file)
        do {
            try StoreError.translating(file) {
                try Self.copy(source, to: file)
                let copy = try SQLiteConnection(path: file)
                // A damaged copy would be found only on the day it is needed.
                try StoreFile.check(copy, path: source.path)
                try copy.execute("UPDATE revision_block SET reserved = reserved + \(Self.revisionsBehindBackup)")
                try StoreSchema.markBackup(copy)
            }
            try DataFolder.syncFolder(DataFolder.parent(of: file))
        } catch {
            for rest in ["", "-journal", "-wal", "-shm"] { unlink(file + rest) }
            throw error
        }
    }

    /// Copies a database; damage that the copying meets is that of the source.
    private static func copy(_ source: SQLiteConnection, to file: String) throws {
        do {
            try source.copy(to: file)
        } catch let error as SQLiteError where error.primaryCode == SQLITE_CORRUPT {
            throw StoreError.damaged(file: source.path, reason: error.message)
        }
    }
}
