import RacHost
import RacProtocol

/// A connection that has ended and that the daemon releases over several turns.
struct ReleaseWitness {
    /// The channels of its bindings, which `list` may still count.
    let channels: [ChannelName]
    /// The binding whose will is due; nil if there is none.
    let willing: BindingWitness?
    /// Whether the will was carried out, or has gone with its binding.
    var isWillOver = false
    /// Whether the rules have forbidden the will since the connection ended.
    var mayBeForbidden = false
    /// Whether another binding had taken its place at some time since the connection ended.
    var mayHaveSuccessor = false

    /// Whether the will is for this change.
    func explains(_ change: ObservedChange) -> Bool {
        guard let willing, willing.channel == change.channel else { return false }
        return willing.will.map(change.carriesOut) ?? false
    }
}

extension Ledger {
    /// The daemon has released more of these lost connections: only wills change channels then.
    mutating func releases(_ links: [Int], _ host: Host) throws(Violation) {
        for link in links where self.releasing[link] == nil { self.beginRelease(of: link) }
        for link in self.releasing.keys {
            guard let willing = self.releasing[link]?.willing, let record = self.truth[willing.channel] else {
                continue
            }
            if self.successor(of: willing, record) != nil { self.releasing[link]?.mayHaveSuccessor = true }
        }
        for change in self.truth.look(at: host) {
            let willing = self.releasing.keys.sorted().first { self.releasing[$0]?.explains(change) ?? false }
            guard let willing else {
                let what = "the end of a connection changed \(change.channel), and no will was for that"
                throw Violation(.lostConnections, what)
            }
            try hold(.rights, self.allowsWill(of: willing)) {
                "the will of \(self.name(willing)) changed \(change.channel), which its rules forbid"
            }
            if let binding = self.releasing[willing]?.willing, let before = change.before,
                let successor = self.successor(of: binding, before), !successor.mayBeTooSlow
            {
                let what = "the will of \(binding.name) was carried out, though that of \(successor.name) counts"
                throw Violation(.lostConnections, what)
            }
            self.releasing[willing]?.isWillOver = true
            try self.enter(change, once: .no)
        }
    }

    /// The other binding with a will that brought the newest value, and whose client is there; nil if there is none.
    private func successor(of willing: BindingWitness, _ record: ChannelRecord) -> BindingWitness? {
        guard let newest = Shown(record).sent(by: willing.role)?.revision,
            let sender = self.truth.facts[newest]?.sender,
            sender != willing.key
        else { return nil }
        for (place, bindings) in self.bindings where place.channel == willing.channel {
            guard self.releasing[place.link] == nil, self.callers[place.link]?.leavesInOrder == false,
                !self.isTurnedAway(place.link),
                let binding = bindings.last(where: { $0.key == sender && $0.isHosted && $0.will != nil })
            else { continue }
            return binding
        }
        return nil
    }

    /// A connection has ended: its bindings and commands are gone, and its will is due unless it left in order.
    mutating func beginRelease(of link: Int) {
        let isOrderly = self.callers[link]?.leavesInOrder ?? true
        let hosted = self.bindings.keys.compactMap { $0.link == link ? self.hosted($0) : nil }
        self.releasing[link] = ReleaseWitness(
            channels: hosted.map(\.channel),
            willing: isOrderly ? nil : hosted.first { $0.will != nil }
        )
        self.judgeWill(of: link)
        self.unhost(all: link)
    }

    /// A channel has ended or was deleted: so have the bindings to it, before their connections were released.
    mutating func endWills(on channel: ChannelName) {
        for link in self.releasing.keys where self.releasing[link]?.willing?.channel == channel {
            self.releasing[link]?.isWillOver = true
        }
    }

    /// Nothing of a connection is left to release.
    mutating func released(_ link: Int, at uptime: UInt64) throws(Violation) {
        guard let release = self.releasing.removeValue(forKey: link) else { return }
        self.rest(sessionOf: link, at: uptime)
        // The will of a binding that has ended goes with it when its client is given that, which may be lost on the way.
        guard !release.isWillOver, !release.mayBeForbidden, !release.mayHaveSuccessor, let willing = release.willing,
            !self.isScarce,
            !willing.mayBeTooSlow,
            self.truth[willing.channel]?.state.end == nil
        else { return }
        throw Violation(.lostConnections, "\(willing.name) was lost, and its will was not carried out")
    }
}
