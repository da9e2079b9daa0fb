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
    /// The copy is called `FILE.new` until it is complete. A backup that is killed leaves that file only, which the next one
    /// replaces.
    ///
    /// Isolation: any process and thread; blocks during the copy, while the racd goes on.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - file: The path of the copy.
    ///   - replaces: Whether the copy takes the place of a file that is there.
    /// - Returns: False if the copy lacks changes that wait for the disk of the racd, which fails.
    /// - Throws: ``StoreError``; then `file` is as it was.
    @discardableResult
    package static func backup(folder: String, to file: String, replaces: Bool = false) throws(StoreError) -> Bool {
        let folder = DataFolder(path: folder)
        let isWaiting = FolderLock.isWaiting(folder)
        let source = try SQLiteConnection.openStoreReadOnly(at: folder.database)
        guard replaces || access(file, F_OK) != 0 else { throw .exists(file: file) }
        let unfinished = try UnfinishedBackup(of: file)
        let path = unfinished.path
        do {
            try StoreError.translating(path) {
                try Self.copy(source, to: path)
                let copy = try SQLiteConnection(path: path)
                // A damaged copy would be found only on the day it is needed.
                try StoreFile.check(copy, path: source.path)
                try copy.execute("UPDATE revision_block SET reserved = reserved + \(Self.revisionsBehindBackup)")
                try StoreSchema.markBackup(copy)
            }
            try unfinished.finish(as: file, replaces: replaces)
        } catch {
            unfinished.remove()
            throw error
        }
        return !isWaiting
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
