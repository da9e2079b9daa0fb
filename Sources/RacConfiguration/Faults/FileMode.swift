import Glibc

/// The rights of a file for others than its owner.
struct FileMode {
    private let mode: mode_t

    init(_ status: stat) {
        self.mode = status.st_mode & 0o777
    }

    /// The status of a file; nil if there is none.
    static func status(of path: String) -> stat? {
        var status = stat()
        return stat(path, &status) == 0 ? status : nil
    }

    /// Whether a path leads to a folder.
    static func isFolder(_ path: String) -> Bool {
        self.status(of: path).map { $0.st_mode & S_IFMT == S_IFDIR } ?? false
    }

    /// A mode as chmod takes it, in four digits: `0640`.
    static func text(_ mode: mode_t) -> String {
        let digits = String(mode, radix: 8)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// The fault if others may write a file, with the remedy.
    func writable(_ path: String, allows harm: String) -> String? {
        guard self.mode & 0o022 != 0 else { return nil }
        return "others may write the file (mode \(Self.text(self.mode))) and \(harm): chmod go-w \(path)"
    }

    /// The fault if every user may read a file, with the remedy; a group that may is the owner's decision.
    func readable(_ path: String, has secrets: String) -> String? {
        guard self.mode & 0o004 != 0 else { return nil }
        return "others may read the file (mode \(Self.text(self.mode))), which has \(secrets): chmod o-rwx \(path)"
    }
}
