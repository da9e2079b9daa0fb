import Glibc

/// The state of a file by which a change is seen.
package struct FileVersion: Hashable, Sendable {
    private let numbers: [Int64]

    private init(_ status: stat) {
        self.numbers = [
            Int64(status.st_ino), Int64(status.st_size), Int64(status.st_mtim.tv_sec), Int64(status.st_mtim.tv_nsec),
            Int64(status.st_mode), Int64(status.st_uid), Int64(status.st_gid),
        ]
    }

    /// The present version; nil if there is no file.
    package init?(of path: String) {
        guard let status = FileMode.status(of: path) else { return nil }
        self.init(status)
    }
}
