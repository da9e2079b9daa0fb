import CSQLite

/// Somebody who changes the database of a closed or running store with tools of their own.
struct Tampering {
    private let file: String

    init(_ file: String) {
        self.file = file
    }

    /// Runs statements on a connection of their own; makes the file if it is not there.
    func execute(_ sql: String) throws {
        let connection = try RawConnection(self.file)
        try connection.execute(sql)
    }
}

/// A connection of SQLite that shares nothing with the store's code.
final class RawConnection {
    struct Failure: Error {
        let code: CInt
        let sql: String
    }

    private let handle: OpaquePointer?

    init(_ file: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open(file, &handle)
        self.handle = handle
        guard code == SQLITE_OK else { throw Failure(code: code, sql: "") }
        sqlite3_busy_timeout(handle, 60_000)
    }

    deinit {
        sqlite3_close_v2(self.handle)
    }

    func execute(_ sql: String) throws {
        let code = sqlite3_exec(self.handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw Failure(code: code, sql: sql) }
    }
}
