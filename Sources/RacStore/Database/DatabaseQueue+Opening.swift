import GRDB

extension DatabaseQueue {
    /// How long a commit waits for another program that has the file locked, in seconds.
    private static let lockTimeout = 1.0

    /// Makes an empty database of racd out of an empty file.
    static func makeStore(at path: String) throws(StoreError) {
        try StoreError.translating(path) {
            let connection = try DatabaseQueue(path: path, configuration: self.storeConfiguration(readOnly: false))
            try connection.inDatabase { database in
                try database.execute(sql: "PRAGMA application_id = \(DatabaseHeader.applicationID)")
            }
            try StoreSchema.migrator.migrate(connection)
            try connection.close()
        }
    }

    /// Opens racd's database for writing as durably as asked for; refuses every other file.
    static func openStore(at path: String, durability: Durability) throws(StoreError) -> DatabaseQueue {
        try DatabaseHeader.check(path)
        return try StoreError.translating(path) {
            let connection = try DatabaseQueue(path: path, configuration: self.storeConfiguration(readOnly: false))
            try connection.inDatabase { database in
                let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = WAL")
                guard mode == "wal" else {
                    throw StoreError.unusable(
                        path: path,
                        reason: "its file system has no shared memory (journal mode WAL)"
                    )
                }
                try database.setSynchronous(durability)
            }
            return connection
        }
    }

    /// Opens racd's database, which another process may be writing, for reading.
    static func openStoreReadOnly(at path: String) throws(StoreError) -> DatabaseQueue {
        try DatabaseHeader.check(path)
        return try StoreError.translating(path) {
            try DatabaseQueue(path: path, configuration: self.storeConfiguration(readOnly: true))
        }
    }

    static func storeConfiguration(readOnly: Bool) -> Configuration {
        var configuration = Configuration()
        configuration.label = "rac.store"
        configuration.readonly = readOnly
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(Self.lockTimeout)
        // A failing disk may end a transaction in ways that GRDB would take for a mistake of ours, ending the process.
        configuration.allowsUnsafeTransactions = true
        // A statement that puts several rows keeps what it changes as it was, which needs no file in some temporary folder.
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
        return configuration
    }
}

extension Database {
    /// GRDB and SQLite each have a default of their own for it, so it is read back.
    func setSynchronous(_ durability: Durability) throws {
        try self.execute(sql: "PRAGMA synchronous = \(durability.synchronous)")
        let synchronous = try Int.fetchOne(self, sql: "PRAGMA synchronous")
        guard synchronous == durability.synchronous else {
            throw DatabaseError(resultCode: .SQLITE_CANTOPEN, message: "SQLite refuses durability \(durability)")
        }
    }
}
