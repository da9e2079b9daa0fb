import CBenchmarkSQLite

/// The yardstick of the durable sets: SQLite alone, WAL and synchronous=FULL, with transactions of as many sets as are
/// under way.
package struct SQLiteLoop: Sendable {
    /// SQLite's text of what went wrong.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let path: String
    private let sets: Int
    private let value: String

    /// A loop on a database at `path`, which must be in the file system that the servers' data is in.
    ///
    /// Puts this number of `sets` into one transaction, each to a row of its own.
    package init(path: String, sets: Int, valueBytes: Int) {
        self.path = path
        self.sets = sets
        self.value = String(repeating: ".", count: valueBytes)
    }

    /// Commits transactions for some time, after a third as long to warm up.
    package func measure(seconds: Double) throws -> Repetition {
        var database: OpaquePointer?
        defer { sqlite3_close(database) }
        try self.check(sqlite3_open(self.path, &database), database)
        let setUp = """
            PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
            CREATE TABLE IF NOT EXISTS channel (id INTEGER PRIMARY KEY, rev INTEGER NOT NULL, value TEXT NOT NULL);
            """
        try self.check(sqlite3_exec(database, setUp, nil, nil, nil), database)
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        let upsert = "INSERT INTO channel VALUES (?, ?, ?) ON CONFLICT (id) DO UPDATE SET rev = ?2, value = ?3"
        try self.check(sqlite3_prepare_v2(database, upsert, -1, &statement, nil), database)
        var revision: Int64 = 0
        return try Repetition(seconds: seconds) {
            try self.check(sqlite3_exec(database, "BEGIN", nil, nil, nil), database)
            for row in 0..<self.sets {
                revision += 1
                sqlite3_bind_int64(statement, 1, Int64(row))
                sqlite3_bind_int64(statement, 2, revision)
                // Without a destructor the text must live until the reset, and SQLite's "make a copy" is a C cast that
                // Swift cannot import.
                try self.value.withCString { text in
                    sqlite3_bind_text(statement, 3, text, -1, nil)
                    try self.check(sqlite3_step(statement), database)
                    sqlite3_reset(statement)
                }
            }
            try self.check(sqlite3_exec(database, "COMMIT", nil, nil, nil), database)
        }
    }

    private func check(_ code: Int32, _ database: OpaquePointer?) throws(Failure) {
        guard code != SQLITE_OK, code != SQLITE_DONE else { return }
        throw Failure(description: "SQLite: \(database.map { String(cString: sqlite3_errmsg($0)) } ?? "no memory")")
    }
}
