import CSQLite
import RacProtocol

extension SQLiteConnection {
    /// Makes an empty database of racd out of an empty file.
    static func makeStore(at path: String) throws(StoreError) {
        try StoreError.translating(path) {
            let connection = try SQLiteConnection(path: path)
            try connection.execute("PRAGMA application_id = \(DatabaseHeader.applicationID)")
            try StoreSchema.migrate(connection)
            // Clients may remember revisions of a folder that is gone.
            try connection.execute("UPDATE revision_block SET reserved = \(Revision.beginning().number)")
        }
    }

    /// Opens racd's database for writing, as durably as asked for; refuses every other file.
    static func openStore(at path: String, durability: Durability) throws(StoreError) -> SQLiteConnection {
        try DatabaseHeader.check(path)
        return try StoreError.translating(path) {
            let connection = try SQLiteConnection(path: path)
            guard try connection.values(of: "PRAGMA journal_mode = WAL", { try $0.text() }) == ["wal"] else {
                throw StoreError.unusable(
                    path: path,
                    reason: "its file system has no shared memory (journal mode WAL)"
                )
            }
            try connection.setSynchronous(durability)
            return connection
        }
    }

    /// Opens racd's database for reading; another process may be writing it.
    static func openStoreReadOnly(at path: String) throws(StoreError) -> SQLiteConnection {
        try DatabaseHeader.check(path)
        return try StoreError.translating(path) { try SQLiteConnection(path: path, isReadOnly: true) }
    }

    /// Marks the file as one that counts only with its log, or takes the mark out.
    func mark(_ isOpen: Bool) throws {
        try self.execute("PRAGMA user_version = \(isOpen ? DatabaseHeader.openMark : 0)")
    }

    /// Sets the durability of the following commits, and reads it back: a build of SQLite may know other values.
    func setSynchronous(_ durability: Durability) throws {
        try self.execute("PRAGMA synchronous = \(durability.synchronous)")
        guard try self.values(of: "PRAGMA synchronous", { try $0.integer() }) == [durability.synchronous] else {
            throw SQLiteError(SQLITE_CANTOPEN, message: "SQLite refuses durability \(durability)")
        }
    }
}
