import GRDB
import GRDBSQLite

/// The write-ahead log of a connection, as SQLite has it open.
///
/// A log that grows costs a commit more than its own bytes: the file system syncs the file's new length, too. So the log has
/// the length from the start that it would have after a thousand pages, when SQLite begins again at its front. What SQLite
/// has not written is zeros, which its recovery takes for the end of the log.
struct WriteAheadLog {
    /// SQLite's header of the log, and of each page in it.
    private static let headerBytes: Int64 = 32
    private static let pageHeaderBytes: Int64 = 24
    /// After so many pages SQLite takes the log into the file.
    private static let pages: Int64 = 1_000
    private static let pageBytes: Int64 = 4096

    static let fullLength = headerBytes + pages * (pageHeaderBytes + pageBytes)

    private let file: UnsafeMutablePointer<sqlite3_file>
    private let methods: sqlite3_io_methods

    /// Nil if the connection has no log open.
    init?(of connection: SQLiteConnection) {
        var file: UnsafeMutablePointer<sqlite3_file>?
        let code = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &file)
        guard code == SQLITE_OK, let file, let methods = file.pointee.pMethods else { return nil }
        self.file = file
        self.methods = methods.pointee
    }

    /// Fills it up with zeros; on a disk that does not take them it stays as it was.
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

    private var length: Int64? {
        var length: sqlite3_int64 = 0
        return self.methods.xFileSize(self.file, &length) == SQLITE_OK ? length : nil
    }
}
