import CSQLite
import Glibc

/// A connection to a database of SQLite.
///
/// The store calls SQLite without a library between. Rows, statements and transactions did so while GRDB still opened
/// the file. GRDB ends a text at its first U+0000, ends the process on a column of another type, and mends text that is
/// not UTF-8. It takes twice as long for a row. It prepares BEGIN and COMMIT anew each time, which is more than
/// SQLite's own work for a single change. It also takes a transaction that a failing disk has ended for a mistake of
/// its caller.
///
/// Its remaining uses were opening, four pragmas, one migration, a checkpoint and a backup: 21 lines of code more without it.
/// GRDB is 71 000 lines, which took 21 seconds of a clean debug build on two cores, and 70 of a release build.
///
/// `@unchecked` holds because SQLite's connections do not care which thread uses them, as long as it is one at a time. Each
/// belongs to the function that opened it, or to the store's `disk`, which only the holder of its Mutex reaches.
final class SQLiteConnection: @unchecked Sendable {
    /// The time for which a call waits for another program that has the file locked, in milliseconds.
    private static let lockTimeout: CInt = 1_000

    let path: String
    let handle: OpaquePointer
    /// The number of pages that the last commit has left in the log.
    private let logPages = UnsafeMutablePointer<CInt>.allocate(capacity: 1)

    /// Opens a file that is there.
    init(path: String, isReadOnly: Bool = false) throws {
        let access = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, access | SQLITE_OPEN_NOMUTEX, nil)
        guard code == SQLITE_OK, let handle else {
            // A connection that did not open has its memory all the same.
            defer { sqlite3_close_v2(handle) }
            throw handle == nil ? SQLiteError(code, message: nil) : SQLiteError(code, of: handle)
        }
        self.path = path
        self.handle = handle
        self.logPages.initialize(to: 0)
        sqlite3_extended_result_codes(handle, 1)
        sqlite3_busy_timeout(handle, Self.lockTimeout)
        // A statement that puts several rows keeps the old pages: in memory it needs no file in some temporary folder.
        try self.execute("PRAGMA temp_store = MEMORY")
        // SQLite reads the file with the first statement only, and a file that is no database should be refused here.
        try self.execute("SELECT * FROM sqlite_master LIMIT 1")
    }

    deinit {
        // Each statement keeps its connection, so none is left and this cannot fail.
        sqlite3_close_v2(self.handle)
        self.logPages.deallocate()
    }

    /// The path of the file, behind links; SQLite has the log and its index beside that one.
    var resolvedPath: String { sqlite3_db_filename(self.handle, "main").map { String(cString: $0) } ?? self.path }

    /// Counts the pages of the log from now on; SQLite then leaves it to the caller to take the log into the file.
    func countLogPages() {
        sqlite3_wal_hook(
            self.handle,
            { count, _, _, pages in
                count?.assumingMemoryBound(to: CInt.self).pointee = pages
                return SQLITE_OK
            },
            self.logPages
        )
    }

    /// The number of pages that the last commit has left in the log.
    var logPageCount: CInt { self.logPages.pointee }

    /// Has SQLite keep the log when the last connection closes, or remove it.
    func keepLog(_ isKept: Bool) throws {
        var value: CInt = isKept ? 1 : 0
        try self.check(sqlite3_file_control(self.handle, "main", SQLITE_FCNTL_PERSIST_WAL, &value))
    }

    /// Runs statements and drops their rows, if they give any.
    func execute(_ sql: String) throws {
        try self.check(sqlite3_exec(self.handle, sql, nil, nil, nil))
    }

    /// Passes each row that a statement gives to `body`.
    func forEachRow(of sql: String, _ body: (inout RowReader) throws -> Void) throws {
        let statement = try SQLiteStatement(sql, on: self)
        while try statement.step() {
            var row = RowReader(statement.handle)
            try body(&row)
        }
    }

    /// Reads a value of each row that a statement gives.
    func values<Value>(of sql: String, _ read: (inout RowReader) throws -> Value) throws -> [Value] {
        var values: [Value] = []
        try self.forEachRow(of: sql) { values.append(try read(&$0)) }
        return values
    }

    /// Runs the body in a transaction, which is rolled back when the body throws.
    func transaction(_ body: () throws -> Void) throws {
        try self.execute("BEGIN IMMEDIATE")
        do {
            try body()
            try self.execute("COMMIT")
        } catch {
            if self.isInTransaction { try? self.execute("ROLLBACK") }
            throw error
        }
    }

    /// Whether a transaction is under way: after some failures SQLite has rolled back already.
    var isInTransaction: Bool { sqlite3_get_autocommit(self.handle) == 0 }

    /// Takes the write-ahead log into the file: `SQLITE_CHECKPOINT_FULL`, or `_TRUNCATE` to empty the log as well.
    ///
    /// With `waits` it waits for a second for other programs that read the database, as each other call does. Only
    /// `SQLITE_CHECKPOINT_PASSIVE` may leave a part in the log.
    ///
    /// - Returns: Whether all of the log is in the file.
    @discardableResult
    func checkpoint(_ mode: CInt, waits: Bool = true) throws -> Bool {
        if !waits { sqlite3_busy_timeout(self.handle, 0) }
        defer { sqlite3_busy_timeout(self.handle, Self.lockTimeout) }
        var (pages, taken) = (CInt(0), CInt(0))
        try self.check(sqlite3_wal_checkpoint_v2(self.handle, "main", mode, &pages, &taken))
        return pages == taken
    }

    /// Copies the database, as it is at one moment and without its free pages, to an empty file, and syncs that.
    func copy(to path: String) throws {
        // By scalars: a quote and a mark behind it are one Character.
        let quoted = path.unicodeScalars.map { $0 == "'" ? "''" : String($0) }.joined()
        try self.execute("VACUUM INTO '\(quoted)'")
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SQLiteError(SQLITE_CANTOPEN, message: DataFolder.lastFault) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SQLiteError(SQLITE_IOERR, message: DataFolder.lastFault) }
    }

    func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw SQLiteError(code, of: self.handle) }
    }
}
