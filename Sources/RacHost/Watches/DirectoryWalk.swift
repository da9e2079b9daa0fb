import DequeModule
import RacProtocol

/// A watch's way through the directory: the names behind it have been reported, the names ahead have not.
///
/// A watch that has given up names walks again through the names behind it. So the names form a circle, and each of them
/// is ahead once at most.
struct DirectoryWalk {
    /// Names that follow each other, and the matches of them that the watch has reported.
    struct Stretch {
        /// The last of the names; nil for the last of all.
        var end: ChannelName?
        /// The newest match that was reported; nil if none of the names was reported.
        let told: MatchNumber?
        /// The names as the client was shown them, if its rights have changed since.
        var former: FormerView?
    }

    private static let mostStretches = 128

    /// The name that was reached last; nil before the first one.
    var last: ChannelName?

    /// The names that are ahead, the nearest stretch first.
    private var stretches: Deque = [Stretch(end: nil, told: nil)]

    /// Whether all names were reported once.
    private(set) var isRound = false

    var isOver: Bool { self.stretches.isEmpty }

    var stretch: Stretch? { self.stretches.first }

    /// Leaves the first stretch; returns whether all names have been reported once with it.
    mutating func finishStretch() -> Bool {
        guard let stretch = self.stretches.popFirst() else { return false }
        self.last = stretch.end
        guard stretch.told == nil else { return false }
        self.isRound = true
        return true
    }

    /// Whether the walk has still to come to a name.
    func isAhead(_ name: ChannelName) -> Bool {
        guard let end = self.stretches.last?.end else { return !self.isOver && self.isBehindLast(name) }
        return self.goesRound ? self.isBehindLast(name) || name <= end : self.isBehindLast(name) && name <= end
    }

    /// Whether the last of all names is ahead, and perhaps the first ones behind it.
    private var goesRound: Bool { self.stretches.contains { $0.end == nil } }

    /// Whether a name was never reported because the first round has not come to it.
    func isUntold(_ name: ChannelName) -> Bool { !self.isRound && self.isBehindLast(name) }

    private func isBehindLast(_ name: ChannelName) -> Bool { self.last.map { $0 < name } ?? true }

    /// The stretch ahead that has a name; nil if the name is behind.
    func stretch(of name: ChannelName) -> Stretch? {
        var isPastEnd = !self.isBehindLast(name)
        for stretch in self.stretches {
            if !isPastEnd, stretch.end.map({ name <= $0 }) ?? true { return stretch }
            if stretch.end == nil { isPastEnd = false }
        }
        return nil
    }

    /// The client's rights have changed: walks again through all names that it was shown.
    mutating func rightsChanged(after former: FormerView, told: MatchNumber) {
        for place in self.stretches.indices
        where self.stretches[place].told != nil && self.stretches[place].former == nil {
            self.stretches[place].former = former
        }
        self.repeatTold(through: told, as: former)
    }

    /// Walks again through all names behind, whose matches were reported up to this one.
    mutating func repeatTold(through told: MatchNumber, as former: FormerView? = nil) {
        guard self.stretches.last?.end != nil else {
            if self.isOver {
                self.last = nil
                self.stretches = [Stretch(end: nil, told: told, former: former)]
            } else {
                self.append(end: self.last, told, former)
            }
            return
        }
        if !self.goesRound { self.stretches.append(Stretch(end: nil, told: told, former: former)) }
        self.append(end: self.last, told, former)
    }

    /// Appends the stretch that ends with a name, or nothing before the first one.
    ///
    /// Stretches from before and after a change of rights stay apart: their names are not shown alike.
    private mutating func append(end: ChannelName?, _ told: MatchNumber, _ former: FormerView?) {
        guard let end else { return }
        let place = self.stretches.count - 1
        let isLike = former == nil && self.stretches[place].former == nil
        if self.stretches.count >= Self.mostStretches, self.stretches[place].end != nil, isLike {
            // The stretch keeps its older match, so some changes are reported twice.
            self.stretches[place].end = end
        } else {
            self.stretches.append(Stretch(end: end, told: told, former: former))
        }
    }
}
