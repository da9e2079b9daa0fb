import Glibc

extension Store {
    /// Copies the database of a data folder to a file, also while a racd is writing it.
    ///
    /// The copy is one moment's state and a complete `rac.db`: in a folder of its own it is what that racd had then.
    ///
    /// Isolation: any process and thread; blocks while it copies. The racd goes on meanwhile.
    ///
    /// - Parameters:
    ///   - folder: The data folder.
    ///   - file: Where the copy goes; there must be nothing yet.
    /// - Throws: ``StoreError``; `file` is then not there.
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
