import Glibc

/// A file of the store that racd has open; its path may come to lead to another file, or to none.
final class HeldFile: Sendable {
    /// Opens a path without its file, because SQLite's locks end when the process closes another descriptor of the file.
    ///
    /// It is `O_PATH`, which Swift's Glibc leaves out.
    private static let pathOnly: Int32 = 0o10_000_000

    let path: String
    private let identity: FileIdentity
    /// As long as it is open, no other file gets the number of this one.
    private let descriptor: Int32

    /// Nil if the path leads to no file.
    init?(path: String) {
        let descriptor = open(path, Self.pathOnly | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let identity = FileIdentity(of: descriptor) else {
            Glibc.close(descriptor)
            return nil
        }
        self.path = path
        self.identity = identity
        self.descriptor = descriptor
    }

    deinit {
        Glibc.close(self.descriptor)
    }

    /// Whether its path leads to it.
    var isInPlace: Bool { FileIdentity(at: self.path) == self.identity }
}

/// The numbers by which the system knows a file, whatever it is called.
struct FileIdentity: Equatable, Sendable {
    private let device: dev_t
    private let number: ino_t

    /// Nil if the path leads to no file.
    init?(at path: String) {
        var status = stat()
        // A String that is passed to C as it is would be copied, with each commit.
        guard path.withCString({ stat($0, &status) }) == 0 else { return nil }
        self.init(status)
    }

    init?(of descriptor: Int32) {
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { return nil }
        self.init(status)
    }

    private init(_ status: stat) {
        self.device = status.st_dev
        self.number = status.st_ino
    }
}
