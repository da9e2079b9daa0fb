import CGlibc
import Glibc

/// The rights of another user to read files, as the owners and modes of files show them.
struct FileAccess {
    private let user: uid_t
    private let group: gid_t
    /// A folder that the user reaches, whatever the folders above it are: a service has a view of its own of them.
    private let home: String

    /// The rights of the owner of a folder; nil if there is no folder, or if root owns it, who may read everything.
    init?(ofOwner folder: String) {
        guard let home = Self.resolved(folder), let status = FileMode.status(of: home), status.st_uid != 0 else {
            return nil
        }
        self.init(user: status.st_uid, group: status.st_gid, home: home)
    }

    init(user: uid_t, group: gid_t, home: String) {
        self.user = user
        self.group = group
        self.home = home
    }

    /// Whether the user cannot read a file, or not enter one of its folders; a missing file is another fault.
    func isBarred(from path: String) -> Bool {
        guard let file = Self.resolved(path) else { return false }
        let parts = file.split(separator: "/")
        let folders = parts.indices.map { "/" + parts[..<$0].map { $0 + "/" }.joined() }
        return folders.contains { !"\(self.home)/".hasPrefix($0) && !self.allows($0, S_IXUSR) }
            || !self.allows(file, S_IRUSR)
    }

    /// The path without links; nil if there is no such file.
    private static func resolved(_ path: String) -> String? {
        guard let file = realpath(path, nil) else { return nil }
        defer { free(file) }
        return String(cString: file)
    }

    private func allows(_ path: String, _ right: mode_t) -> Bool {
        guard let status = FileMode.status(of: path) else { return true }
        // A list of access rights names users beyond the mode, as systemd has it for credentials.
        if getxattr(path, "system.posix_acl_access", nil, 0) >= 0 { return true }
        if status.st_uid == self.user { return status.st_mode & right != 0 }
        if status.st_gid == self.group { return status.st_mode & (right >> 3) != 0 }
        return status.st_mode & (right >> 6) != 0
    }
}
