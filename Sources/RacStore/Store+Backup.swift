import CSQLite
import Glibc

extension Store {
    /// The revisions that a backup leaves out: more than a daemon gives out in its life behind one.
    ///
    /// A million changes a second take twelve days, and a restored store can be restored again five thousand times.
    package static let revisionsBehindBackup: UInt64 = 1 << 40

    /// Copies the database of a data folder to a file, also while a racd writes it.
    ///
    /// The copy is the state of one moment and a complete `rac.db` without free pages; in an empty data folder it restores
    /// that state. The restored store gives out none of the revisions that the store, or another store restored from the
    /// same copy, has given out since.
    ///
    /// The copy is called `FILE.new` until it is complete. A backup that is killed leaves that file only.
    ///
    /// Isolation: any process and thread; blocks during the copy, while the racd goes on.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - file: The path of the copy; there must be no file yet, and no `FILE.new`.
    /// - Throws: ``StoreError``; then there is no `file`.
    package static func backup(folder: String, to file: String) throws(StoreError) {
        let source = try SQLiteConnection.openStoreReadOnly(at: DataFolder(path: folder).database)
        guard access(file, F_OK) != 0 else { throw .exists(file: file) }
        let unfinished = "\(file).new"
        try DataFolder.makeEmptyFile(unfinished)
        do {
            try StoreError.translating(unfinished) {
                try Self.copy(source, to: unfinished)
                let copy = try SQLiteConnection(path: unfinished)
                // A damaged copy would be found only on the day it is needed.
                try StoreFile.check(copy, path: source.path)
                try copy.execute("UPDATE revision_block SET reserved = reserved + \(Self.revisionsBehindBackup)")
                try StoreSchema.markBackup(copy)
            }
            try Self.finish(unfinished, as: file)
        } catch {
            for rest in ["", "-journal", "-wal", "-shm"] { unlink(unfinished + rest) }
            throw error
        }
    }

    /// Gives a complete copy its name, which nobody has taken meanwhile.
    private static func finish(_ unfinished: String, as file: String) throws(StoreError) {
        try DataFolder.makeEmptyFile(file)
        do throws(StoreError) {
            guard rename(unfinished, file) == 0 else { throw .unusable(path: file, reason: DataFolder.lastFault) }
            try DataFolder.syncFolder(DataFolder.parent(of: file))
        } catch {
            unlink(file)
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
