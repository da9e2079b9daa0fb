import CSQLite

/// The write-ahead log of a connection, as SQLite has it open.
///
/// A log that grows costs a commit more than the log's bytes: the file system syncs the file's new length, too. So the log
/// gets its full length at the start: a thousand pages, after which SQLite begins again at the front. The unwritten rest is
/// zeros, which SQLite's recovery takes for the end of the log.
struct WriteAheadLog {
    /// The lengths of SQLite's headers: of the log, and of each page in it.
    private static let headerBytes: Int64 = 32
    private static let pageHeaderBytes: Int64 = 24
    /// The number of pages after which SQLite takes the log into the file.
    private static let pages: Int64 = 1_000
    private static let pageBytes: Int64 = 4096

    /// The number of pages from which the log goes into the file: the mark of the file needs a page of it, too.
    static let fullCount = CInt(pages) - 1

    static let fullLength = headerBytes + pages * (pageHeaderBytes + pageBytes)

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    /// Nil if the connection has no log open.
    init?(of connection: SQLiteConnection) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(connection.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
        guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return nil }
        self.file = file
        self.methods = methods.pointee
    }

    /// Fills the log up with zeros; on a disk that does not take them the log keeps its length.
    func extend() {
        guard let length = self.length, length < Self.fullLength else { return }
        let zeros = [UInt8](repeating: 0, count: Int(Self.pageBytes))
        for offset in stride(from: length, to: Self.fullLength, by: zeros.count) {
            let count = min(Int64(zeros.count), Self.fullLength - offset)
            guard self.methods.xWrite(self.file, zeros, CInt(count), offset) == SQLITE_OK else {
                _ = self.methods.xTruncate(self.file, length)
                return
            }
        }
    }

    /// Writes the log's own bytes again and syncs them: the kernel may have given up on some of them.
    func writeAgain() throws {
        guard let length = self.length else { return }
        var bytes = [UInt8](repeating: 0, count: Int(Self.pageBytes))
        for offset in stride(from: 0, to: length, by: bytes.count) {
            let count = CInt(min(Int64(bytes.count), length - offset))
            try Self.check(self.methods.xRead(self.file, &bytes, count, offset))
            try Self.check(self.methods.xWrite(self.file, bytes, count, offset))
        }
        try Self.check(self.methods.xSync(self.file, SQLITE_SYNC_NORMAL))
    }

    private static func check(_ code: CInt) throws {
        guard code == SQLITE_OK else { throw SQLiteError(code, message: nil) }
    }

    private var length: Int64? {
        var length: sqlite3_int64 = 0
        return self.methods.xFileSize(self.file, &length) == SQLITE_OK ? length : nil
    }
}
