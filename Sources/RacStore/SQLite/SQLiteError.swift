import CSQLite
import Glibc

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
        var message = sqlite3_errmsg(connection).map { String(cString: $0) } ?? ""
        let fault = sqlite3_system_errno(connection)
        // A "disk I/O error" may be a full disk.
        if [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff), [ENOSPC, EDQUOT, EROFS].contains(fault) {
            message += ": \(String(cString: strerror(fault)))"
        }
        self.init(code, message: message.isEmpty ? nil : message)
    }

    var primaryCode: CInt { self.code & 0xff }
}
