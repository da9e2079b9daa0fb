/// The faults that a committed change survives.
package enum Durability: String, CaseIterable, Sendable {
    /// A commit is on the disk before it is reported, so it survives a loss of power.
    case full
    /// A commit survives a crash of racd; a loss of power may undo the newest commits, but never tears the file.
    case normal
    /// As `normal`, but a loss of power may leave a file that the next start refuses.
    case off

    /// The number that `PRAGMA synchronous` takes for it.
    var synchronous: Int64 {
        switch self {
        case .full: 2
        case .normal: 1
        case .off: 0
        }
    }
}
