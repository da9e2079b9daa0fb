import RacAccess
import RacHost
import RacProtocol

extension Ledger {
    mutating func decided(_ set: SetValue, _ link: Int, _ host: Host) throws(Violation) -> Answer {
        let judgement = Judgement(
            set.value,
            self.truth[set.channel],
            from: set.role,
            condition: set.condition,
            cause: set.cause,
            newest: self.truth.newest
        )
        let changes = self.truth.look(at: host)
        guard let change = changes.first else {
            if case .stale(let revision) = judgement {
                return .unchanged(self.allows(.read, set.channel, to: link) ? revision : .never)
            }
            return .refused
        }
        try judgement.checkWritten(self.name(link))
        let wanted = Send.Event.next(set.value, condition: nil, cause: set.cause)
        try hold(.answers, changes.count == 1 && change.channel == set.channel && change.carriesOut(wanted)) {
            "a set of \(self.name(link)) changed \(change.channel) into something else than it said"
        }
        try self.enter(change)
        return .revision(change.revision, set.sync ? self.durability.present : nil)
    }

    mutating func decided(_ put: Put, _ link: Int, _ host: Host) throws(Violation) -> Answer {
        let newest = self.truth.newest
        let writes = put.entries.filter { $0.value != nil }
        let guards = put.entries.filter { $0.value == nil }
        let guarded = guards.map { entry in
            self.truth[entry.channel].flatMap { Shown($0).sent(by: .following) }?.revision ?? .never
        }
        let judgements = writes.map { entry in
            Judgement(
                entry.value,
                self.truth[entry.channel],
                from: .following,
                condition: entry.condition,
                cause: nil,
                newest: newest
            )
        }
        let changes = self.truth.look(at: host)
        guard !changes.isEmpty else { return .refused }
        for judgement in judgements { try judgement.checkWritten(self.name(link)) }
        try hold(.conditions, guards.map(\.condition) == guarded) {
            "a put by \(self.name(link)) was applied though its guards have the revisions \(guarded)"
        }
        try hold(.allOrNothing, changes.map(\.channel) == writes.map(\.channel)) {
            "a put of \(writes.count) channels by \(self.name(link)) changed \(changes.count)"
        }
        for (change, entry) in zip(changes, writes) {
            let isRight = change.news?.valuation.value == entry.value
            try hold(.allOrNothing, isRight, "a put changed \(entry.channel) into something else than it said")
            try self.enter(change)
        }
        let revisions = changes.map(\.revision)
        let areNeighbours = zip(revisions, revisions.dropFirst()).allSatisfy { $0.number + 1 == $1.number }
        try hold(.allOrNothing, areNeighbours, "a put's revisions are no neighbours: \(revisions)")
        var written = revisions.makeIterator()
        let told = put.entries.map { $0.value == nil ? $0.condition ?? .never : written.next() ?? .never }
        return .revisions(told, put.sync ? self.durability.present : nil)
    }

    mutating func decided(_ bind: Bind, _ link: Int, _ host: Host) throws(Violation) -> Answer {
        let before = self.truth[bind.channel]
        for change in self.truth.look(at: host) {
            let isDefault =
                change.channel == bind.channel && before?.value == nil && before?.state.end == nil
                && change.news?.valuation.value == bind.defaultValue
            try hold(.answers, isDefault, "a bind of \(self.name(link)) changed \(change.channel)")
            try self.enter(change)
        }
        let place = Place(link: link, channel: bind.channel, role: bind.role)
        guard self.hosted(place) == nil else { return .refused }
        self.addBinding(place, bind)
        return .bound
    }
}
