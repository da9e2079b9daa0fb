import RacAccess
import RacHost
import RacProtocol

/// The daemon's decision about a message that it has taken.
extension Ledger {
    mutating func decided(_ message: ClientMessage, from link: Int, _ host: Host) throws(Violation) {
        guard !self.hasLostSession(link) else { return try self.expectNothing(host, "who has lost its session") }
        guard !self.isTurnedAway(link) else {
            return try self.expectNothing(host, "whom the rules do not know", .rights)
        }
        switch message {
        case .send(let send): try self.decided(send, link, host)
        case .request(let id, let request):
            let answer = try self.decided(request, link, host)
            self.answers[RequestKey(link: link, id: id)] = answer
        case .bye:
            let change = self.truth.look(at: host).first
            try hold(.lostConnections, change == nil, "\(self.name(link)) said bye, and that changed a channel")
            self.callers[link]?.leavesInOrder = true
            self.commands.disconnected(link)
        case .progress(let execution, let event):
            self.commands.said(event, self.key(execution, link), by: link)
            guard case .ended = event else { return }
            self.commands.finished(execution, by: link)
            try self.commands.checkReturned(self.key(execution, link), self.name(link))
        case .cancel(let execution): self.commands.cancelled(self.key(execution, link), by: link)
        case .enabled(let command, let isEnabled): self.commands.enabled(command, isEnabled, by: link)
        default: try self.expectNothing(host, "a message that asks for nothing")
        }
    }

    private mutating func expectNothing(_ host: Host, _ what: String, _ rule: Rule = .answers) throws(Violation) {
        guard let change = self.truth.look(at: host).first else { return }
        throw Violation(rule, "\(what) changed \(change.channel)")
    }

    private mutating func decided(_ send: Send, _ link: Int, _ host: Host) throws(Violation) {
        let key = TerminalKey(link: link, terminal: send.terminal)
        let sender = self.hosted(key)
        let judgement = self.judge(send, sender, link)
        let present = self.durability.present
        let changes = self.truth.look(at: host)
        var fate = SendWitness.Fate.refused
        var isRepeated = false
        let wasRefused = self.wasRefused(send, link)
        switch (judgement, changes.first) {
        case (_, var change?):
            try self.checkWrittenAgain(send, change)
            try judgement.checkWritten(sender?.name ?? self.name(link))
            try hold(.answers, changes.count == 1 && change.channel == sender?.channel && change.carriesOut(send.event))
            {
                "a send of \(self.name(link)) changed \(change.channel) into something else than it said"
            }
            change.sender = sender?.key
            try self.enter(change, once: self.once(link))
            fate = .applied(change.revision)
            self.applied(send, link)
        case (.stale(let revision), nil):
            fate = .done(revision)
            self.applied(send, link)
        case (.repeated, nil):
            isRepeated = true
            if !wasRefused { fate = .done(.never) }
        case (.write, nil), (.refuse, nil):
            if case .refuse(.rights, _) = judgement { fate = .forbidden }
            self.refused[self.session(link, send.terminal), default: []].insert(send.number)
        }
        let ticket = changes.isEmpty ? present : self.durability.present
        self.sends[key, default: SendWitness()]
            .decided(
                send.number,
                fate,
                isRepeated: isRepeated,
                isRefusedAgain: wasRefused && fate.isRefusal,
                ticket: send.sync ? ticket : nil
            )
    }

    private mutating func applied(_ send: Send, _ link: Int) {
        let session = self.session(link, send.terminal)
        self.applied[session] = send.number
        self.refused[session]?.remove(send.number)
    }

    /// The channel of a terminal is gone, and its numbers go on in the terminal of the next channel of that name.
    mutating func goOn(from earlier: TerminalID, in terminal: TerminalID, _ link: Int) {
        let (old, new) = (self.session(link, earlier), self.session(link, terminal))
        guard self.applied[new] == nil else { return }
        self.applied[new] = self.applied[old]
        self.refused[new] = self.refused[old]
    }

    private func wasRefused(_ send: Send, _ link: Int) -> Bool {
        self.refused[self.session(link, send.terminal)]?.contains(send.number) ?? false
    }

    /// Whether the daemon has applied a send of a session.
    func wasApplied(_ number: SendNumber, in session: SessionKey) -> Bool {
        guard let last = self.applied[session], number <= last else { return false }
        return self.refused[session]?.contains(number) != true
    }

    /// Without a session, or after the daemon has forgotten it, a repeated send is applied again.
    private func once(_ link: Int) -> Truth.Once {
        guard let caller = self.callers[link], caller.hasSession else { return .no }
        return .inSession(incarnation: caller.incarnation)
    }

    /// A crash can lose an acknowledged value.
    ///
    /// Written again, the value must not overwrite a later one.
    private func checkWrittenAgain(_ send: Send, _ change: ObservedChange) throws(Violation) {
        guard case .next(let value, nil, nil) = send.event else { return }
        let wasAcknowledged = self.acknowledged.contains(Write(channel: change.channel, value: value))
        try hold(.crash, !wasAcknowledged, "\(value) was acknowledged, lost, and written again whoever was faster")
    }

    private func judge(_ send: Send, _ sender: BindingWitness?, _ link: Int) -> Judgement {
        guard send.number > self.lastApplied(link, send.terminal) else { return .repeated }
        guard let sender else { return .refuse(.answers, "it was not bound") }
        guard self.allows(send.event.verb(from: sender.role), sender.channel, to: link) else {
            return .refuse(.rights, "its rules forbid it")
        }
        var value: JSONText?
        var condition: Revision?
        var cause: Revision?
        if case .next(let text, let named, let root) = send.event { (value, condition, cause) = (text, named, root) }
        return Judgement(
            value,
            self.truth[sender.channel],
            from: sender.role,
            condition: condition,
            cause: cause,
            newest: self.truth.newest
        )
    }

    private mutating func decided(_ request: Request, _ link: Int, _ host: Host) throws(Violation) -> Answer {
        guard self.callers[link]?.rights.allows(request) ?? true else {
            try self.expectNothing(host, "a request of \(self.name(link)) that its rules forbid", .rights)
            return .forbidden
        }
        switch request {
        case .bind(let bind): return try self.decided(bind, link, host)
        case .set(let set): return try self.decided(set, link, host)
        case .put(let put): return try self.decided(put, link, host)
        case .finish(let finish):
            return try self.decidedOrder(finish.channel, finish.sync, link, host) { before, after in
                before?.state ?? .open == .open && after?.state.end == finish.end
            }
        case .reopen(let order):
            // A channel without changes may exist for its bindings, or may not exist.
            guard let record = self.truth[order.channel] else {
                try self.expectNothing(host, "the reopening of nothing")
                return .anything
            }
            let answer = try self.decidedOrder(order.channel, order.sync, link, host) { before, after in
                before?.state.end != nil && after?.state == .open
            }
            if record.state == .open, case .refused = answer {
                return .unchanged(self.allows(.read, order.channel, to: link) ? record.revision : .never)
            }
            return answer
        case .delete(let order): return try self.decidedDeletion(order, link, host)
        case .create(let create):
            return try self.decidedOrder(create.channel, create.sync, link, host) { before, after in
                before == nil && after?.mode == create.mode
            }
        case .unbind(let terminal):
            try self.expectNothing(host, "an unbind")
            let key = TerminalKey(link: link, terminal: terminal)
            guard let place = self.places[key], self.hosted(key) != nil, let count = self.bindings[place]?.count else {
                return .refused
            }
            self.bindings[place]?[count - 1].unbound()
            return .unbound(terminal)
        case .get(let channel):
            try self.expectNothing(host, "a get")
            return self.truth[channel].map { .record($0) } ?? .refused
        case .list:
            try self.expectNothing(host, "a list")
            let names = self.truth.names.filter { self.allows(.read, $0, to: link) }
            return .listed(names.compactMap { name in self.truth[name].map { ($0, self.boundCount(name)) } })
        default:
            if case .unhost(let command) = request { self.commands.unhosted(command, by: link) }
            if case .unobserve(let command) = request { self.commands.unobserved(command, by: link) }
            try self.expectNothing(host, "a question")
            if case .host(let host) = request { return .hosting(host.command, isLost: false) }
            if case .observe(let command) = request { return .observing(command, isLost: false) }
            return .anything
        }
    }

    /// The daemon may have ended bindings that get every value as too slow.
    ///
    /// Only the message that they get says so. Bindings of a connection that has ended count until they are released.
    private func boundCount(_ channel: ChannelName) -> ClosedRange<Int> {
        let bound = self.bindings.keys.compactMap { $0.channel == channel ? self.hosted($0) : nil }
        let released = self.releasing.values.reduce(0) { $0 + $1.channels.count { $0 == channel } }
        return bound.count { !$0.getsEvery }...bound.count + released
    }

    /// Takes a request that changes one channel in one way, or is refused.
    private mutating func decidedOrder(
        _ channel: ChannelName,
        _ sync: Bool,
        _ link: Int,
        _ host: Host,
        _ isRight: (ChannelRecord?, ChannelRecord?) -> Bool
    ) throws(Violation) -> Answer {
        let changes = self.truth.look(at: host)
        guard let change = changes.first else { return .refused }
        try hold(.answers, changes.count == 1 && change.channel == channel && isRight(change.before, change.after)) {
            "a request of \(self.name(link)) changed \(change.channel) into something else than it asked for"
        }
        try self.enter(change)
        return .revision(change.revision, sync ? self.durability.present : nil)
    }

    private mutating func decidedDeletion(_ order: ChannelOrder, _ link: Int, _ host: Host) throws(Violation) -> Answer
    {
        let wasThere = self.truth[order.channel] != nil
        let countBefore = self.truth.changeCount
        for change in self.truth.look(at: host) {
            try hold(.answers, change.channel == order.channel && change.after == nil, "a deletion changed a channel")
            try self.enter(change)
        }
        if wasThere, self.truth[order.channel] == nil { return .deleted(order.sync ? self.durability.present : nil) }
        guard !wasThere else { return .refused }
        // The channel had no changes. Its bindings are notified that it is gone, unless the disk or
        // a lack of revisions stood against that.
        guard self.truth.changeCount != countBefore else { return .anything }
        try self.enter(ObservedChange(channel: order.channel, before: nil, after: nil, sender: nil))
        return .anything
    }
}
