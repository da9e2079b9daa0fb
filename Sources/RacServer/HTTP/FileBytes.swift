import Glibc
import NIOCore

/// The bytes of a file that may be shown.
enum FileBytes {
    private static let maximumBytes = 16 << 20

    /// Reads a plain file; nil if there is none, it cannot be read, or it is very long.
    static func read(_ path: String) -> ByteBuffer? {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumBytes else {
            return nil
        }
        var bytes = ByteBuffer()
        while bytes.readableBytes <= Self.maximumBytes {
            let count = bytes.writeWithUnsafeMutableBytes(minimumWritableBytes: 64 << 10) { room in
                max(0, Glibc.read(file, room.baseAddress, room.count))
            }
            if count == 0 { return bytes }
        }
        return nil
    }
}
