import CSQLite

/// A failed call of SQLite.
struct SQLiteError: Error {
    /// The extended result code; ``primaryCode`` has the kind of the failure.
    let code: CInt
    let message: String

    /// Takes SQLite's text for the code if the call left no message.
    init(_ code: CInt, message: String?) {
        self.code = code
        self.message = message ?? sqlite3_errstr(code).map { String(cString: $0) } ?? "code \(code)"
    }

    /// Describes the call of a connection that just failed.
    init(_ code: CInt, of connection: OpaquePointer?) {
        self.init(code, message: sqlite3_errmsg(connection).map { String(cString: $0) })
    }

    var primaryCode: CInt { self.code & 0xff }
}
