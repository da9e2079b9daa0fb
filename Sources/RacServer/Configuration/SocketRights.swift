package import Glibc

/// The rights of the files of Unix sockets: a program that may write the file may connect.
package struct SocketRights: Sendable, Equatable {
    /// The mode of the file; nil for the one that the process's umask gives.
    package var mode: mode_t?

    /// The group of the file; nil for the group of the process.
    package var group: gid_t?

    package init(mode: mode_t? = nil, group: gid_t? = nil) {
        self.mode = mode
        self.group = group
    }

    /// Gives a socket's file these rights.
    ///
    /// The group comes first: a change of the owner can take rights away, and nobody gets rights with the wrong group.
    func apply(to path: String) throws(ServerError) {
        if let group, chown(path, uid_t.max, group) != 0 { throw Self.failure(path, "group \(group)") }
        if let mode, chmod(path, mode) != 0 { throw Self.failure(path, "mode \(String(mode, radix: 8))") }
    }

    private static func failure(_ path: String, _ rights: String) -> ServerError {
        ServerError("cannot give unix:\(path) the \(rights): \(String(cString: strerror(errno)))")
    }
}
