/// The number of a match: changes are numbered in the order in which they are matched with the watched patterns.
///
/// Zero stands for a change while no pattern was watched.
typealias MatchNumber = UInt64
