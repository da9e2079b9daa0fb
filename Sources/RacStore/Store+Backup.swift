import Glibc
import GRDB

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
        let source = try DatabaseQueue.openStoreReadOnly(at: DataFolder(path: folder).database)
        try DataFolder.makeEmptyFile(file)
        do {
            try StoreError.translating(file) {
                let target = try DatabaseQueue(
                    path: file,
                    configuration: DatabaseQueue.storeConfiguration(readOnly: false)
                )
                try source.backup(to: target)
                // Pages are copied as they are; whoever needs the copy one day must not find damage in it then.
                try target.inDatabase { database in try StoreFile.check(database, path: source.path) }
                try target.close()
            }
            try DataFolder.syncFolder(DataFolder.parent(of: file))
        } catch {
            for rest in ["", "-journal", "-wal", "-shm"] { unlink(file + rest) }
            throw error
        }
    }
}
