import RacProtocol

/// Messages that a client receives.
extension Ledger {
    /// A client received a message; `request` is the request that it answers, if any.
    mutating func told(_ message: ServerMessage, _ link: Int, answering request: Request?) throws(Violation) {
        try self.checkMayKnow(message, link)
        switch message {
        case .reply(let id, let reply): try self.told(reply, to: RequestKey(link: link, id: id), request)
        case .refused(let id?, let refusal):
            let answer = self.answers.removeValue(forKey: RequestKey(link: link, id: id))
            try self.checkMayKnow(refusal, request, answer, link)
            try hold(.answers, answer?.allows(refusal) ?? false) {
                "\(self.name(link)) was refused what was done: \(refusal.error.message)"
            }
        case .refused(nil, let refusal): try self.checkEnd(refusal, of: link)
        case .next(let terminal, let valuation):
            let fact = self.truth.facts[valuation.revision]
            try self.update(TerminalKey(link: link, terminal: terminal)) { witness throws(Violation) in
                try witness.heard(valuation, fact)
            }
        case .ended(let terminal, let end, let revision):
            try self.told(end, revision, TerminalKey(link: link, terminal: terminal))
        case .deleted(let terminal, let revision):
            try self.told(.completed, revision, TerminalKey(link: link, terminal: terminal))
        case .ack(let terminal, let number, let revision):
            let key = TerminalKey(link: link, terminal: terminal)
            let isRepeated = self.sends[key]?.repeats(number) ?? false
            if !isRepeated, let fact = self.truth.facts[revision], fact.valuation.cause == nil {
                self.acknowledged.insert(Write(channel: fact.channel, value: fact.valuation.value))
            }
            let promised = try self.sends[key, default: SendWitness()]
                .acknowledged(number, as: revision, self.name(link))
            for ticket in promised { try self.promise(ticket, to: link) }
        case .unchanged(let terminal, let number, let standing):
            let key = TerminalKey(link: link, terminal: terminal)
            let fact = self.truth.facts[standing.revision]
            try hold(.links, fact?.valuation == standing, "\(self.name(link)) was told a standing value that was none")
            let promised = try self.sends[key, default: SendWitness()]
                .acknowledged(number, as: standing.revision, self.name(link))
            for ticket in promised { try self.promise(ticket, to: link) }
        case .nak(let terminal, let number, let refusal):
            let key = TerminalKey(link: link, terminal: terminal)
            try self.sends[key, default: SendWitness()].refused(number, refusal, self.name(link))
        case .changed(let changed):
            try self.watches[link, default: WatchWitness()].heard(changed, self.name(link), isClosed: self.rules != nil)
        case .execute(let execute):
            let life = self.callers[link]?.life ?? 0
            try self.commands.heard(execute, life, link, self.name(link))
        case .progress(let execution, let event):
            try self.commands.heard(event, self.key(execution, link), link, self.name(link))
        case .failed(let command, let execution, let error):
            try self.commands.heard(error, of: self.key(execution, link), command, link, self.name(link))
        case .state(let command, let state): self.commands.heard(state, of: command, link)
        case .synced: try self.watches[link, default: WatchWitness()].heardSynced(self.name(link))
        default: break
        }
    }

    private mutating func told(_ end: ChannelEnd, _ revision: Revision?, _ key: TerminalKey) throws(Violation) {
        if let revision { self.truth.note(revision) }
        try self.update(key) { witness throws(Violation) in try witness.heard(end, revision) }
    }

    private mutating func told(_ reply: Reply, to key: RequestKey, _ request: Request?) throws(Violation) {
        guard let answer = self.answers.removeValue(forKey: key) else {
            throw Violation(.answers, "\(self.name(key.link)) got an answer to nothing")
        }
        if case .forbidden = answer {
            throw Violation(.rights, "\(self.name(key.link)) was told \(reply), which its rules forbid")
        }
        try self.checkMayKnow(reply, request, answer, key.link)
        try hold(.answers, answer.allows(reply)) { "\(self.name(key.link)) was told \(reply), it is \(answer)" }
        if let ticket = answer.ticket { try self.promise(ticket, to: key.link) }
        switch (answer, reply, request) {
        case (.deleted, .revision(let revision), _): self.truth.note(revision)
        case (.bound, .bound(let bound), .bind(let bind)): try self.told(bound, bind, key.link)
        case (.unbound(let terminal), _, _):
            try self.update(TerminalKey(link: key.link, terminal: terminal)) { $0.heardUnbound() }
        case (_, _, _):
            let life = self.callers[key.link]?.life ?? 0
            try self.commands.heard(reply, to: request, life, key.link, self.name(key.link))
            if answer.isLost { self.commands.lost(reply, by: key.link) }
        }
    }

    private mutating func told(_ bound: Bound, _ bind: Bind, _ link: Int) throws(Violation) {
        let place = Place(link: link, channel: bind.channel, role: bind.role)
        self.places[TerminalKey(link: link, terminal: bound.terminal)] = place
        // The binding before it has ended and has received everything that was due.
        if let earlier = self.bindings[place]?.first, earlier.isAnnounced {
            try earlier.checkRest()
            self.bindings[place]?.removeFirst()
        }
        try hold(.exactlyOnce, bound.was == (bind.was == bound.terminal ? nil : bind.was)) {
            "\(self.name(link)) named terminal \(bind.was?.number ?? 0), and \(bound.terminal) does not go on with it"
        }
        if let earlier = bound.was { self.goOn(from: earlier, in: bound.terminal, link) }
        let lastApplied = self.lastApplied(link, bound.terminal)
        try self.bindings[place]?[0].heardBound(bound, lastApplied: lastApplied)
    }

    private mutating func update(
        _ key: TerminalKey,
        _ body: (inout BindingWitness) throws(Violation) -> Void
    ) throws(Violation) {
        guard let place = self.places[key], self.bindings[place]?.isEmpty == false else {
            throw Violation(.answers, "\(self.name(key.link)) was told of terminal \(key.terminal), which it has not")
        }
        try body(&self.bindings[place, default: []][0])
    }
}
