/// The reason why a data folder cannot be used, in one line that says what to do.
package enum StoreError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The folder or a file in it cannot be made, read or written.
    case unusable(path: String, reason: String)
    /// Another racd has the folder open; `holder` is its process id, if it could be read.
    case locked(folder: String, holder: Int32?)
    /// The file has other content than racd wrote.
    case damaged(file: String, reason: String)
    /// The file is a database of another program.
    case foreign(file: String)
    /// The file was written by a newer racd.
    case newer(file: String)
    /// The folder has the write-ahead log of a database that is gone, or that a backup has replaced.
    case strayLog(file: String)
    /// The file of a new backup exists already, and a backup overwrites nothing.
    case exists(file: String)
    /// The file was moved, removed or replaced while racd has it open.
    case replaced(file: String)
    /// The file was copied from a running racd without its write-ahead log.
    case copiedAlone(file: String)
    /// Another backup writes the unfinished file of a new one.
    case underWay(file: String)
    /// The folder holds no database to back up.
    case missing(file: String)
    /// The newest changes could not be written when the store closed.
    case unwritten(file: String, reason: String)

    /// The line for people: the path, the fault, and the remedy.
    package var description: String {
        switch self {
        case .unusable(let path, let reason) where reason.hasSuffix("No such file or directory"):
            "\(path) cannot be used: \(Self.line(reason))"
        case .unusable(let path, let reason):
            "\(path) cannot be used: \(Self.line(reason)); check its permissions, the disk and the free space"
        case .locked(let folder, let holder):
            "\(folder) is in use by \(holder.map { "process \($0)" } ?? "another racd"): stop it or choose another folder"
        case .damaged(let file, let reason):
            "\(file) is damaged (\(Self.line(reason))): restore a backup, or move it with its -wal and -shm files away"
        case .foreign(let file):
            "\(file) is a database of another program: choose another folder or move the file away"
        case .newer(let file):
            "\(file) was written by a newer racd: use that one, or restore a backup made by this one"
        case .strayLog(let file):
            "\(file) belongs to a rac.db that is gone: put that one back, or move this file and its -shm file away"
        case .exists(let file):
            "\(file) exists already: choose another file, or replace it with --replace"
        case .underWay(let file):
            "\(file) is written by another backup: wait for its end or choose another file"
        case .replaced(let file):
            "\(file) is not the file that racd has open, which was moved, removed or replaced: put that one back"
        case .copiedAlone(let file):
            "\(file) was copied from a running racd without its rac.db-wal: take that too, or use racd backup"
        case .missing(let file):
            "\(file) does not exist: name the data folder of a racd"
        case .unwritten(let file, let reason):
            "the newest changes could not be written to \(file) (\(Self.line(reason))) and are lost"
        }
    }

    /// The fault alone, or the whole line if the error has no fault of its own.
    var reason: String {
        switch self {
        case .unusable(_, let reason), .damaged(_, let reason), .unwritten(_, let reason): reason
        case .replaced: "it was moved, removed or replaced while racd had it open"
        case .locked, .foreign, .newer, .strayLog, .exists, .underWay, .copiedAlone, .missing:
            self.description
        }
    }

    private static func line(_ reason: String) -> String {
        reason.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
