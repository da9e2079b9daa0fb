import RacAccess
import RacProtocol

/// Conditions that hold after the last action, when everything has arrived.
extension Ledger {
    /// The open connections have received every message and every answer.
    func checkRest(of links: [Int]) throws(Violation) {
        try self.checkJudged(of: links)
        try self.commands.checkRest(of: links, self.name)
        for link in links {
            let name = self.name(link)
            let places = self.bindings.keys.filter { $0.link == link }.sorted { $0.sortKey < $1.sortKey }
            for place in places { for witness in self.bindings[place] ?? [] { try witness.checkRest() } }
            let sends = self.sends.keys.filter { $0.link == link }.sorted { $0.terminal.number < $1.terminal.number }
            for key in sends { try self.sends[key]?.checkRest(name) }
            let open = self.answers.keys.filter { $0.link == link }.map(\.id.number).min()
            try hold(.answers, open == nil, "\(name) got no answer to its request \(open ?? 0)")
            try self.watches[link]?.checkRest(self.truth, name) { self.allows(.read, $0, to: link) }
        }
    }

    /// A program was notified that its channel has ended.
    ///
    /// The daemon must have ended it, or carried out the program's own end, before which the channel had ended this many
    /// times.
    func checkEnded(_ place: Place, endsBefore: Int?) throws(Violation) {
        guard let witness = self.bindings[place]?.first else { return }
        let isOwn = endsBefore.map { self.truth.ends[place.channel, default: 0] > $0 } ?? false
        try hold(.lostConnections, witness.isOver || isOwn) {
            "\(witness.name) was told an end when its connection was lost"
        }
    }

    /// Linked channels have the same value, which is that of the newest root.
    func checkLinks(_ channels: [ChannelName]) throws(Violation) {
        guard let first = channels.first else { return }
        let value = self.truth[first]?.value
        for channel in channels {
            let other = self.truth[channel]?.value
            try hold(.links, other?.value == value?.value && other?.root == value?.root) {
                "\(first) is linked to \(channel), but they came to rest as \(value?.brief ?? "nothing") "
                    + "and \(other?.brief ?? "nothing")"
            }
        }
    }
}

extension Ledger.Place {
    /// Sorts the keys, so that their order is the same in every process.
    var sortKey: (String, String) { (self.channel.text, self.role.rawValue) }
}

extension Valuation {
    var brief: String { "\(self.value) of \(self.root)" }
}
