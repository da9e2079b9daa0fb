import RacAccess
import RacProtocol

/// The rights of connections, and their changes.
extension Ledger {
    /// The daemon takes other rules, by which it has yet to judge these connections.
    mutating func took(_ rules: RulesPlan, unjudged links: [Int]) {
        self.rules = rules
        self.unjudged = Set(links)
        for link in self.releasing.keys { self.judgeWill(of: link) }
    }

    /// The daemon has judged its connections anew.
    ///
    /// - Parameters:
    ///   - waiting: The connections that it has yet to judge.
    ///   - newest: The newest revision that was given out, that of a deletion too.
    /// - Returns: The judged connections.
    mutating func judged(allBut waiting: [Int], newest: Revision) -> [Int] {
        let judged = self.unjudged.subtracting(waiting).sorted()
        self.unjudged = self.unjudged.intersection(waiting)
        for link in judged where self.releasing[link] == nil { self.judge(link, newest: newest) }
        return judged
    }

    private mutating func judge(_ link: Int, newest: Revision) {
        guard let caller = self.callers[link], !caller.rights.isTurnedAway else { return }
        self.callers[link]?.rights.judged(self.rules?.principal(caller.principal), newest: newest)
        guard let rights = self.callers[link]?.rights, !rights.isTurnedAway else { return self.turnAway(link) }
        for place in self.bindings.keys where place.link == link {
            guard self.hosted(place) != nil, !rights.allows(place.role.verbOfBindings, place.channel),
                let count = self.bindings[place]?.count
            else { continue }
            self.bindings[place]?[count - 1].withdrawn()
        }
        self.commands.judged(link, rights)
        for key in self.answers.keys where key.link == link {
            if let answer = self.answers[key]?.judged(rights) { self.answers[key] = answer }
        }
    }

    /// A connection ends because its principal is gone: it hosts nothing more, and its wills are dropped.
    ///
    /// Its client gets nothing more.
    private mutating func turnAway(_ link: Int) {
        self.callers[link]?.leavesInOrder = true
        self.unhost(all: link)
    }

    /// Whether the daemon has ended a connection because of its principal.
    func isTurnedAway(_ link: Int) -> Bool { self.callers[link]?.rights.isTurnedAway ?? false }

    func allows(_ verb: Verb, _ name: ChannelName, to link: Int) -> Bool {
        self.callers[link]?.rights.allows(verb, name) ?? true
    }

    /// Notes whether a will that is due may be left out, because the rules forbid it now.
    mutating func judgeWill(of link: Int) {
        if !self.allowsWill(of: link) { self.releasing[link]?.mayBeForbidden = true }
    }

    /// Whether the newest rules allow the will of a connection that has ended.
    func allowsWill(of link: Int) -> Bool {
        guard let rules, let willing = self.releasing[link]?.willing, let will = willing.will else { return true }
        let principal = rules.principal(self.callers[link]?.principal)
        return principal?.allows(will.verb(from: willing.role), willing.channel.text) ?? false
    }
}

// MARK: Reports to clients

extension Ledger {
    /// A client was sent a revision of a channel, which rules must have allowed since the revision was given out.
    func checkMayKnow(
        _ revision: Revision?,
        of channel: ChannelName?,
        by verbs: [Verb],
        _ link: Int
    ) throws(Violation) {
        guard let revision, revision != .never, let channel, let rights = self.callers[link]?.rights else { return }
        let newest = verbs.map { rights.newest($0, channel) }.max() ?? .never
        try hold(.secrets, revision <= newest) {
            "\(self.name(link)) was told of \(channel) as \(revision), which its rules have never let it read"
        }
    }

    /// Checks the facts in any message but answers to requests.
    func checkMayKnow(_ message: ServerMessage, _ link: Int) throws(Violation) {
        func check(_ terminal: TerminalID, _ revision: Revision?, _ verbs: [Verb] = []) throws(Violation) {
            let place = self.places[TerminalKey(link: link, terminal: terminal)]
            try self.checkMayKnow(revision, of: place?.channel, by: verbs + [place?.role.verbOfBindings ?? .read], link)
        }
        switch message {
        case .next(let terminal, let valuation): try check(terminal, valuation.revision)
        case .ended(let terminal, _, let revision): try check(terminal, revision)
        case .deleted(let terminal, let revision): try check(terminal, revision)
        case .unchanged(let terminal, _, let standing): try check(terminal, standing.revision, [.read])
        case .nak(let terminal, _, let refusal): try check(terminal, refusal.revision, [.read])
        case .ack(let terminal, let number, let revision):
            // An answer to a repeated send has the present revision, any other that of the send.
            let key = TerminalKey(link: link, terminal: terminal)
            if self.sends[key]?.repeats(number) ?? false { try check(terminal, revision, [.read]) }
        case .changed(let changed): try self.checkMayKnow(changed.revision, of: changed.channel, by: [.read], link)
        default: break
        }
    }

    /// Checks the facts in the answer to a request.
    func checkMayKnow(_ reply: Reply, _ request: Request?, _ answer: Answer, _ link: Int) throws(Violation) {
        switch (reply, request) {
        case (.bound(let bound), .bind(let bind)):
            try self.checkMayKnow(bound.revision, of: bind.channel, by: [bind.role.verbOfBindings], link)
        case (.got(let got), .get(let channel)):
            try self.checkMayKnow(got.revision, of: channel, by: [.read], link)
        case (.listed(let listed), _):
            for entry in listed.channels {
                try self.checkMayKnow(entry.revision, of: entry.channel, by: [.read], link)
            }
        case (.revision(let revision), let request?):
            // The revision of a change that somebody else has made.
            guard case .unchanged = answer else { return }
            try self.checkMayKnow(revision, of: request.channel(at: nil), by: [.read], link)
        default: break
        }
    }

    /// Checks the refusal of a request: its reason, and the facts in it.
    func checkMayKnow(_ refusal: Refusal, _ request: Request?, _ answer: Answer?, _ link: Int) throws(Violation) {
        let isForbidden = refusal.error.code == ErrorCode.forbidden.rawValue
        guard case .forbidden = answer else {
            try hold(.standing, !isForbidden) { "\(self.name(link)) was forbidden what its rules grant" }
            return try self.checkMayKnow(refusal.revision, of: request?.channel(at: refusal.index), by: [.read], link)
        }
        try hold(.rights, isForbidden) {
            "\(self.name(link)) asked for what its rules forbid, and was told \(refusal.error.code)"
        }
        try hold(.secrets, refusal.revision == nil && refusal.value == nil) {
            "\(self.name(link)) was told facts of what its rules forbid"
        }
    }

    /// The daemon ends a connection and says why.
    func checkEnd(_ refusal: Refusal, of link: Int) throws(Violation) {
        guard refusal.error.code == ErrorCode.unauthenticated.rawValue else { return }
        try hold(.standing, self.callers[link]?.rights.isTurnedAway ?? true) {
            "\(self.name(link)) was told that its principal is gone, which is there"
        }
    }

    /// Everything of the open connections is judged by the newest rules.
    func checkJudged(of links: [Int]) throws(Violation) {
        try hold(.judged, self.unjudged.isEmpty, "connections were never judged by the newest rules")
        for link in links {
            try hold(.judged, !self.isTurnedAway(link)) { "\(self.name(link)) is connected, and its principal is gone" }
            for place in self.bindings.keys where place.link == link {
                guard let binding = self.hosted(place) else { continue }
                try hold(.judged, self.allows(place.role.verbOfBindings, place.channel, to: link)) {
                    "\(binding.name) is bound, which its rules do not allow"
                }
            }
        }
    }
}

extension Request {
    /// The channel that the request, or its entry of this number, names.
    fileprivate func channel(at index: UInt64?) -> ChannelName? {
        switch self {
        case .bind(let bind): bind.channel
        case .get(let channel): channel
        case .set(let set): set.channel
        case .put(let put):
            index.flatMap { put.entries.indices.contains(Int($0)) ? put.entries[Int($0)].channel : nil }
        case .create(let create): create.channel
        case .finish(let finish): finish.channel
        case .reopen(let order), .delete(let order): order.channel
        default: nil
        }
    }
}
