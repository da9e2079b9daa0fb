import CSQLite

/// A statement of SQLite, prepared once and run again and again; it keeps its connection open.
///
/// `@unchecked` holds for the reason of ``SQLiteConnection``, to whose owner the statement belongs.
final class SQLiteStatement: @unchecked Sendable {
    let handle: OpaquePointer
    private let connection: SQLiteConnection

    init(_ sql: String, on connection: SQLiteConnection) throws {
        var handle: OpaquePointer?
        let flags = CUnsignedInt(SQLITE_PREPARE_PERSISTENT)
        try connection.check(sqlite3_prepare_v3(connection.handle, sql, -1, flags, &handle, nil))
        guard let handle else { throw SQLiteError(SQLITE_MISUSE, message: "a statement has no words") }
        self.handle = handle
        self.connection = connection
    }

    deinit {
        sqlite3_finalize(self.handle)
    }

    /// Goes to the next row; false behind the last one.
    func step() throws -> Bool {
        switch sqlite3_step(self.handle) {
        case SQLITE_ROW: true
        case SQLITE_DONE: false
        case let code: throw SQLiteError(code, of: self.connection.handle)
        }
    }

    /// Runs a statement that gives no rows, with the values that the closure binds to its parameters.
    func run(_ bind: (inout RowWriter) throws -> Void = { _ in }) throws {
        var row = RowWriter(self)
        try bind(&row)
        let code = sqlite3_step(self.handle)
        guard code == SQLITE_DONE else {
            let error = SQLiteError(code, of: self.connection.handle)
            sqlite3_reset(self.handle)
            throw error
        }
        try self.check(sqlite3_reset(self.handle))
    }

    func check(_ code: CInt) throws {
        try self.connection.check(code)
    }
}
