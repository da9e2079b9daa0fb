import Glibc

extension Store {
    /// Copies the database of a data folder to a file, also while a racd writes it.
    ///
    /// The copy is the state of one moment and a complete `rac.db`; in an empty data folder it restores that state.
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
                let target = try SQLiteConnection(path: file)
                try source.copy(to: target)
                // The pages are copied as they are, and a damaged copy would be found only on the day it is needed.
                try StoreFile.check(target, path: source.path)
            }
            try DataFolder.syncFolder(DataFolder.parent(of: file))
        } catch {
            for rest in ["", "-journal", "-wal", "-shm"] { unlink(file + rest) }
            throw error
        }
    }
}
