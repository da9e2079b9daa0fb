/// What a committed change survives.
package enum Durability: String, CaseIterable, Sendable {
    /// Each commit is on the disk before it is told: it survives a loss of power.
    case full
    /// Commits survive a crash of racd; a loss of power may take the newest of them back, never tear the file.
    case normal
    /// As `normal`, but a loss of power may leave a file that is refused at the next start.
    case off

    /// SQLite's number for it, as `PRAGMA synchronous` tells it.
    var synchronous: Int64 {
        switch self {
        case .full: 2
        case .normal: 1
        case .off: 0
        }
    }
}
