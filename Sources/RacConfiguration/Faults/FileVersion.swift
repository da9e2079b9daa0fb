import Glibc

/// The state of a file by which a change is seen.
package struct FileVersion: Hashable, Sendable {
    private let size: Int64
    private let numbers: [Int64]

    private init(_ status: stat) {
        self.size = Int64(status.st_size)
        self.numbers = [
            Int64(status.st_ino), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
            Int64(status.st_mode), Int64(status.st_uid), Int64(status.st_gid),
        ]
    }

    /// Whether the file has no bytes.
    var isEmpty: Bool { self.size == 0 }

    /// The present version; nil if there is no file.
    package init?(of path: String) {
        guard let status = FileMode.status(of: path) else { return nil }
        self.init(status)
    }
}
