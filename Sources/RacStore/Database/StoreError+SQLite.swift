import CSQLite

extension StoreError {
    /// Runs work on a database file; its errors become damage of the file, or faults of the world around the file.
    static func translating<Result>(_ file: String, _ body: () throws -> Result) throws(StoreError) -> Result {
        do {
            return try body()
        } catch let error as StoreError {
            throw error
        } catch let error as RowDamage {
            throw .damaged(file: file, reason: error.reason)
        } catch let error as SQLiteError {
            throw StoreError(error, file: file)
        } catch {
            throw .damaged(file: file, reason: "\(error)")
        }
    }

    private init(_ error: SQLiteError, file: String) {
        switch error.primaryCode {
        case SQLITE_BUSY, SQLITE_LOCKED:
            self = .unusable(path: file, reason: "another program keeps it locked")
        case SQLITE_PERM, SQLITE_NOMEM, SQLITE_READONLY, SQLITE_INTERRUPT, SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN,
            SQLITE_PROTOCOL, SQLITE_NOLFS, SQLITE_AUTH, SQLITE_ABORT:
            self = .unusable(path: file, reason: error.message)
        default:
            self = .damaged(file: file, reason: error.message)
        }
    }
}

extension SQLiteError {
    /// Whether the connection is sound again once the transaction is rolled back.
    var leavesConnectionSound: Bool {
        switch self.primaryCode {
        case SQLITE_FULL, SQLITE_BUSY, SQLITE_LOCKED: true
        default: false
        }
    }
}
