import CSQLite

/// The reason why a row is not one that racd wrote.
struct RowDamage: Error, Equatable {
    let reason: String
}

/// Reads the columns of a statement's present row from left to right, and trusts none of them.
///
/// A column of another type is damage, a text may contain U+0000, and text that is not UTF-8 is refused, not repaired.
struct RowReader {
    private let statement: OpaquePointer
    private var column: CInt = 0

    init(_ statement: OpaquePointer) {
        self.statement = statement
    }

    mutating func optionalInteger() throws(RowDamage) -> Int64? {
        defer { self.column += 1 }
        switch sqlite3_column_type(self.statement, self.column) {
        case SQLITE_INTEGER: return sqlite3_column_int64(self.statement, self.column)
        case SQLITE_NULL: return nil
        default: throw self.damage("is not an integer")
        }
    }

    mutating func integer() throws(RowDamage) -> Int64 {
        guard let integer = try self.optionalInteger() else { throw self.damage("is missing", at: self.column - 1) }
        return integer
    }

    /// Reads a TEXT or BLOB in UTF-8.
    mutating func optionalText() throws(RowDamage) -> String? {
        defer { self.column += 1 }
        switch sqlite3_column_type(self.statement, self.column) {
        case SQLITE_TEXT, SQLITE_BLOB: break
        case SQLITE_NULL: return nil
        default: throw self.damage("is not text")
        }
        let start = sqlite3_column_blob(self.statement, self.column)
        let count = Int(sqlite3_column_bytes(self.statement, self.column))
        guard let text = String(validating: UnsafeRawBufferPointer(start: start, count: count), as: UTF8.self) else {
            throw self.damage("is not UTF-8")
        }
        return text
    }

    mutating func text() throws(RowDamage) -> String {
        guard let text = try self.optionalText() else { throw self.damage("is missing", at: self.column - 1) }
        return text
    }

    private func damage(_ fault: String, at column: CInt? = nil) -> RowDamage {
        let name = sqlite3_column_name(self.statement, column ?? self.column).map { String(cString: $0) }
        return RowDamage(reason: "\(name ?? "a column") \(fault)")
    }
}
