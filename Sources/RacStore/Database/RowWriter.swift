import GRDB
import GRDBSQLite

/// Fills the parameters of a statement from left to right.
struct RowWriter {
    /// SQLite copies what it is given before the call returns.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private static let empty: StaticString = ""

    private let statement: SQLiteStatement
    private var parameter: CInt = 1

    init(_ statement: SQLiteStatement) {
        self.statement = statement
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
            try text.withUTF8 { try self.bind(UnsafeRawBufferPointer($0), Self.transient) }
        } else {
            try self.bind(nil, nil)
        }
    }

    /// A text that stays where it is until the statement has run, so that SQLite need not copy it.
    mutating func bind(lasting text: UnsafeRawBufferPointer?) throws {
        try self.bind(text, nil)
    }

    mutating func bind(word: StaticString) throws {
        try self.bind(UnsafeRawBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount), nil)
    }

    private mutating func bind(_ text: UnsafeRawBufferPointer?, _ destructor: sqlite3_destructor_type?) throws {
        // A missing address would mean NULL to SQLite; an empty text need not have one.
        let start = text.flatMap { $0.isEmpty ? UnsafeRawPointer(Self.empty.utf8Start) : $0.baseAddress }
        let characters = start?.assumingMemoryBound(to: CChar.self)
        let count = CInt(text?.count ?? 0)
        try self.check(sqlite3_bind_text(self.statement, self.parameter, characters, count, destructor))
        self.parameter += 1
    }

    func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw DatabaseError(code, of: sqlite3_db_handle(self.statement)) }
    }
}
