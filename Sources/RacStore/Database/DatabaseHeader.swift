import Glibc

/// The first bytes of a database file, read without SQLite, which so never opens a file of another program.
///
/// Semantics: SQLite's "Database File Format", section 1.3.
enum DatabaseHeader {
    /// The letters `racd` in ASCII: SQLite keeps them in each of our files, and the `file` command shows them.
    static let applicationID: UInt32 = 0x7261_6364

    private static let byteCount = 100
    private static let magic = Array("SQLite format 3\0".utf8)
    private static let applicationIDOffset = 68
    private static let writeVersionOffset = 18
    private static let userVersionOffset = 60

    /// The letters `open` in ASCII, as the file's user version: the file counts only with its log.
    static let openMark: UInt32 = 0x6F70_656E

    /// Refuses a file that is not a database, or not a database of racd.
    static func check(_ file: String) throws(StoreError) {
        let bytes = try Self.read(file)
        guard !bytes.isEmpty else { throw .damaged(file: file, reason: "it is empty") }
        guard bytes.count == Self.byteCount, bytes.starts(with: Self.magic) else {
            throw .damaged(file: file, reason: "it does not begin as a database does")
        }
        guard Self.number(in: bytes, at: Self.applicationIDOffset) == Self.applicationID else {
            throw .foreign(file: file)
        }
        // A racd that closes takes the mark out before it removes the log.
        if Self.lacksLog(file, bytes), Self.lacksLog(file, try Self.read(file)) { throw .copiedAlone(file: file) }
    }

    /// Whether a file counts only with its log, and has none.
    ///
    /// A copy that SQLite has made needs no log, and its version says that it never had one.
    private static func lacksLog(_ file: String, _ bytes: [UInt8]) -> Bool {
        guard bytes.count == Self.byteCount, bytes[Self.writeVersionOffset] == 2,
            Self.number(in: bytes, at: Self.userVersionOffset) == Self.openMark, let path = realpath(file, nil)
        else { return false }
        defer { free(path) }
        return access(String(cString: path) + "-wal", F_OK) != 0
    }

    private static func number(in bytes: [UInt8], at offset: Int) -> UInt32 {
        bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }

    /// Whether an open file is a database, or is to become one: it is empty or begins with zeros.
    static func isBegun(_ descriptor: Int32) -> Bool {
        var bytes = [UInt8](repeating: 0, count: self.magic.count)
        let count = pread(descriptor, &bytes, bytes.count, 0)
        return count == 0 || count == bytes.count && (bytes == self.magic || bytes.allSatisfy { $0 == 0 })
    }

    private static func read(_ file: String) throws(StoreError) -> [UInt8] {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw errno == ENOENT ? .missing(file: file) : .unusable(path: file, reason: DataFolder.lastFault)
        }
        defer { Glibc.close(descriptor) }
        var count = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.byteCount) { buffer, initialized in
            count = pread(descriptor, buffer.baseAddress, buffer.count, 0)
            initialized = max(0, count)
        }
        guard count >= 0 else { throw .unusable(path: file, reason: DataFolder.lastFault) }
        return bytes
    }
}
