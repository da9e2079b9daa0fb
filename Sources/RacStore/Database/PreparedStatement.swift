import GRDB
import GRDBSQLite

/// A statement of SQLite that is prepared once and run again and again.
///
/// GRDB ends a text at its first U+0000, takes twice as long for a row, and prepares the statements that begin and end a
/// transaction each time: for a single change that is more than SQLite's own work. So this asks SQLite.
///
/// `@unchecked`: SQLite's statements do not care which thread uses them, but it must be one at a time. They belong to the
/// store's `disk`, which only the holder of its Mutex reaches.
final class PreparedStatement: @unchecked Sendable {
    private let statement: SQLiteStatement

    /// It must be gone before its connection is closed.
    init(_ sql: String, on connection: SQLiteConnection) throws {
        var statement: SQLiteStatement?
        let code = sqlite3_prepare_v3(connection, sql, -1, CUnsignedInt(SQLITE_PREPARE_PERSISTENT), &statement, nil)
        guard code == SQLITE_OK, let statement else { throw DatabaseError(code, of: connection) }
        self.statement = statement
    }

    deinit {
        sqlite3_finalize(self.statement)
    }

    /// Runs it, which gives no rows, with what the closure binds to its parameters.
    func run(_ bind: (inout RowWriter) throws -> Void = { _ in }) throws {
        var row = RowWriter(self.statement)
        try bind(&row)
        let code = sqlite3_step(self.statement)
        guard code == SQLITE_DONE else {
            let error = DatabaseError(code, of: sqlite3_db_handle(self.statement))
            sqlite3_reset(self.statement)
            throw error
        }
        try row.check(sqlite3_reset(self.statement))
    }
}

extension DatabaseError {
    /// What SQLite says about the call that just failed.
    init(_ code: CInt, of connection: SQLiteConnection?) {
        let message = sqlite3_errmsg(connection).map { String(cString: $0) }
        self.init(resultCode: ResultCode(rawValue: code), message: message)
    }
}
