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
        for change in self.truth.look(at: host) {
            let willing = self.releasing.keys.sorted().first { self.releasing[$0]?.explains(change) ?? false }
            guard let willing else {
                let what = "the end of a connection changed \(change.channel), and no will was for that"
                throw Violation(.lostConnections, what)
            }
            try hold(.rights, self.allowsWill(of: willing)) {
                "the will of \(self.name(willing)) changed \(change.channel), which its rules forbid"
            }
            self.releasing[willing]?.isWillOver = true
            try self.enter(change, once: .no)
        }
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
        guard !release.isWillOver, !release.mayBeForbidden, let willing = release.willing, !self.isScarce,
            !willing.mayBeTooSlow,
            self.truth[willing.channel]?.state.end == nil
        else { return }
        throw Violation(.lostConnections, "\(willing.name) was lost, and its will was not carried out")
    }
}
