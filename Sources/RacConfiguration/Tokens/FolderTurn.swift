import Glibc

/// The reason why a file could not be written: a fault of the system, and not of the file.
struct UnwrittenFile: Error, CustomStringConvertible {
    let description: String
}

/// The turn to change a file of a folder, until this value ends or the process does.
struct FolderTurn: ~Copyable {
    private let folder: Int32

    /// Waits for the turn.
    init(of file: String) throws(ConfigurationError) {
        let path = file.lastIndex(of: "/").map { String(file[...$0]) } ?? "."
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            throw ConfigurationError(file: file, "the folder of the file cannot be opened: \(FileText.reason)")
        }
        while flock(descriptor, LOCK_EX) != 0 {
            guard errno == EINTR else {
                let reason = FileText.reason
                close(descriptor)
                throw ConfigurationError(file: file, "the folder of the file cannot be locked: \(reason)")
            }
        }
        self.folder = descriptor
    }

    deinit {
        close(self.folder)
    }

    /// Puts a new file in the place of another; after a loss of power one of both is there, whole.
    func replace(_ path: String, with text: String) throws(UnwrittenFile) {
        let next = path + ".new"
        func check(_ isDone: Bool, _ doing: String) throws(UnwrittenFile) {
            guard !isDone else { return }
            let reason = FileText.reason
            unlink(next)
            throw UnwrittenFile(description: "\(path): the file cannot be \(doing): \(reason)")
        }
        // A program that ended in its turn may have left one.
        unlink(next)
        let descriptor = open(next, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        try check(descriptor >= 0, "written")
        defer { close(descriptor) }
        try check(self.giveRights(descriptor, as: path), "given to its owner")
        try check(Self.write(text, descriptor) && fsync(descriptor) == 0, "written")
        try check(rename(next, path) == 0, "replaced")
        try check(fsync(self.folder) == 0, "kept")
    }

    /// Gives a new file the owner and mode of the one whose place it takes.
    ///
    /// A first file that root makes belongs to the owner of the folder, so that the daemon can read it.
    private func giveRights(_ descriptor: Int32, as path: String) -> Bool {
        var own = stat()
        var folder = stat()
        guard fstat(descriptor, &own) == 0, fstat(self.folder, &folder) == 0 else { return false }
        let old = FileMode.status(of: path)
        guard old != nil || geteuid() == 0 else { return true }
        let owner = old ?? folder
        let isOther = owner.st_uid != own.st_uid || owner.st_gid != own.st_gid
        guard !isOther || fchown(descriptor, owner.st_uid, owner.st_gid) == 0 else { return false }
        return old.map { fchmod(descriptor, $0.st_mode & 0o777) == 0 } ?? true
    }

    private static func write(_ text: String, _ descriptor: Int32) -> Bool {
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count >= 0 || errno == EINTR else { return false }
            rest = rest.dropFirst(max(0, count))
        }
        return true
    }
}
