import Glibc
import NIOCore

/// The file of a Unix socket on which the daemon listens.
///
/// The file goes with the listener, unless another file has taken its place: that is the socket of a successor.
struct SocketFile: Sendable {
    /// The file at a path, whatever its name is.
    private struct Identity: Equatable {
        let device: UInt64
        let number: UInt64

        init?(_ path: String) {
            var status = stat()
            guard lstat(path, &status) == 0 else { return nil }
            self.device = UInt64(status.st_dev)
            self.number = UInt64(status.st_ino)
        }
    }

    private let path: String
    private let identity: Identity?

    /// Binds a new socket to a path, which has no file.
    ///
    /// - Returns: The file, and the descriptor of the socket, which does not listen yet.
    /// - Throws: `IOError`: the system's reason.
    static func bind(_ path: String) throws -> (file: SocketFile, descriptor: Int32) {
        let address = try SocketAddress(unixDomainSocketPath: path)
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        guard address.withSockAddr({ Glibc.bind(descriptor, $0, socklen_t($1)) }) == 0 else {
            let code = errno
            close(descriptor)
            throw IOError(errnoCode: code, reason: "bind")
        }
        return (SocketFile(path: path, identity: Identity(path)), descriptor)
    }

    /// Removes the file that a listener has left behind.
    ///
    /// - Returns: Whether no file is in the way: one that is no socket stays.
    static func removeLeftover(_ path: String) -> Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return true }
        return status.st_mode & S_IFMT == S_IFSOCK && unlink(path) == 0
    }

    /// Removes the file, if it is still there.
    func remove() {
        if let identity, identity == Identity(self.path) { unlink(self.path) }
    }
}
