import GRDB
import GRDBSQLite

/// Fills the parameters of a statement from left to right and runs it.
///
/// GRDB ends a text at its first U+0000 and takes twice as long for a row; so this asks SQLite.
struct RowWriter {
    /// SQLite copies what it is given before the call returns.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private let statement: SQLiteStatement
    private var parameter: CInt = 1

    init(_ statement: Statement) {
        self.statement = statement.sqliteStatement
    }

    mutating func bind(_ integer: Int64?) throws {
        if let integer {
            try self.check(sqlite3_bind_int64(self.statement, self.parameter, integer))
        } else {
            try self.check(sqlite3_bind_null(self.statement, self.parameter))
        }
        self.parameter += 1
    }

    mutating func bind(_ text: String?) throws {
        if var text {
            let code = text.withUTF8 { bytes in
                bytes.withMemoryRebound(to: CChar.self) { characters in
                    // A missing address would mean NULL to SQLite; an empty text need not have one.
                    characters.isEmpty
                        ? sqlite3_bind_text(self.statement, self.parameter, "", 0, Self.transient)
                        : sqlite3_bind_text(
                            self.statement,
                            self.parameter,
                            characters.baseAddress,
                            CInt(characters.count),
                            Self.transient
                        )
                }
            }
            try self.check(code)
        } else {
            try self.check(sqlite3_bind_null(self.statement, self.parameter))
        }
        self.parameter += 1
    }

    func run() throws {
        let code = sqlite3_step(self.statement)
        guard code == SQLITE_DONE else {
            let error = self.error(code)
            sqlite3_reset(self.statement)
            throw error
        }
        try self.check(sqlite3_reset(self.statement))
    }

    private func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw self.error(code) }
    }

    private func error(_ code: CInt) -> DatabaseError {
        let message = sqlite3_errmsg(sqlite3_db_handle(self.statement)).map { String(cString: $0) }
        return DatabaseError(resultCode: ResultCode(rawValue: code), message: message)
    }
}
