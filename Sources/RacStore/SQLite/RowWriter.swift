import CSQLite

/// Fills the parameters of a statement from left to right.
struct RowWriter {
    /// Has SQLite copy a text before the call returns.
    private static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    private static let empty: StaticString = ""

    private let statement: SQLiteStatement
    private var parameter: CInt = 1

    init(_ statement: SQLiteStatement) {
        self.statement = statement
    }

    mutating func bind(_ integer: Int64?) throws {
        if let integer {
            try self.statement.check(sqlite3_bind_int64(self.statement.handle, self.parameter, integer))
        } else {
            try self.statement.check(sqlite3_bind_null(self.statement.handle, self.parameter))
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

    /// Binds a text that stays where it is until the statement has run, so that SQLite need not copy it.
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
        let code = sqlite3_bind_text(self.statement.handle, self.parameter, characters, count, destructor)
        try self.statement.check(code)
        self.parameter += 1
    }
}
