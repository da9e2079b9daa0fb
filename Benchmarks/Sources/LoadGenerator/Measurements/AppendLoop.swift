import Glibc

/// The yardstick of the durable sets: a file that grows by one record at a time, each synchronised by itself.
package struct AppendLoop: Sendable {
    private let path: String
    private let record: [UInt8]

    /// A loop on a file at `path`, which must be in the file system that the daemon's data is in.
    package init(path: String, recordBytes: Int = 100) {
        self.path = path
        self.record = Array(repeating: UInt8(ascii: "."), count: recordBytes)
    }

    /// Appends for some time, after a third as long to warm up.
    package func measure(seconds: Double) throws -> Repetition {
        let file = open(self.path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw SystemError.last("open") }
        defer { close(file) }
        return try Repetition(seconds: seconds) {
            let written = write(file, self.record, self.record.count)
            guard written == self.record.count else { throw SystemError.last("write") }
            guard fdatasync(file) == 0 else { throw SystemError.last("fdatasync") }
        }
    }
}
