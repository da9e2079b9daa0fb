import RacClient
import RacProtocol

/// A write that a link makes.
struct LinkedWrite: Hashable {
    let channel: ChannelName
    let value: JSONText
    let root: Revision
}

extension SimulatedClient {
    func deliver(_ reply: Reply, _ request: Request?) throws(Violation) {
        switch (request, reply) {
        case (.bind(let bind), .bound(let bound)):
            guard let index = self.index(of: bind) else { return }
            for send in self.terminals[index].bound(bound, isSameEpoch: self.keepsNumbers) { self.say(.send(send)) }
            if let value = bound.value {
                self.passOn(Valuation(value: value, revision: bound.revision, cause: bound.cause), from: bound.terminal)
            }
        case (.get(let channel), .got(let got)): try self.stood(channel, got.standing)
        case (_, _): self.deliverCommand(reply, request)
        }
    }

    func deliver(_ refusal: Refusal, _ request: Request?) throws(Violation) {
        switch request {
        case .bind(let bind):
            guard let index = self.index(of: bind) else { return }
            self.terminals[index].bindRefused()
        case .get(let channel): try self.stood(channel, nil)
        case .set(let set) where self.plan.isLink && refusal.error.code == ErrorCode.storage.rawValue:
            guard let link = self.link, let root = set.cause else { return }
            let write = LinkedWrite(channel: set.channel, value: set.value.detached, root: root)
            self.world.agenda.add(.asksAgain(link, write), at: self.world.now + 50_000)
        default: break
        }
    }

    private func index(of bind: Bind) -> Int? {
        self.terminals.firstIndex { $0.channel == bind.channel && $0.plan.role == bind.role }
    }

    /// A send was refused without a word on how the channel stands.
    func askHowItStands(_ terminal: TerminalID, after number: SendNumber) {
        guard let index = self.terminals.firstIndex(where: { $0.terminal == terminal }) else { return }
        self.unsure.append((index, number))
        self.ask(.get(self.terminals[index].channel))
    }

    private func stood(_ channel: ChannelName, _ valuation: Valuation?) throws(Violation) {
        guard let place = self.unsure.firstIndex(where: { self.terminals[$0.terminal].channel == channel }) else {
            return
        }
        let (index, number) = self.unsure.remove(at: place)
        self.terminals[index].stood(valuation, after: number)
        try self.checkEnd(index)
    }

    /// A link passes a change on to the other of its two channels, under the root that it has.
    func passOn(_ valuation: Valuation, from terminal: TerminalID) {
        guard self.plan.isLink, let index = self.terminals.firstIndex(where: { $0.terminal == terminal }) else {
            return
        }
        let value = valuation.value.detached
        guard self.plan.passesBySend else {
            return self.write(
                LinkedWrite(channel: self.terminals[1 - index].channel, value: value, root: valuation.root)
            )
        }
        let event = Send.Event.next(value, condition: nil, cause: valuation.root)
        for send in self.terminals[1 - index].write(SimulatedTerminal.Write(event: event, sync: false)) {
            self.say(.send(send))
        }
    }

    /// A link's send was refused because the daemon has no revisions left: the link writes again, after a while.
    func writesAgain(_ terminal: TerminalID, _ number: SendNumber, _ refusal: Refusal) {
        guard self.plan.isLink, refusal.error.code == ErrorCode.storage.rawValue, let link = self.link,
            let index = self.terminals.firstIndex(where: { $0.terminal == terminal }),
            case .next(let value, _, let root?) = self.terminals[index].openEvent(number)
        else { return }
        let write = LinkedWrite(channel: self.terminals[index].channel, value: value, root: root)
        self.world.agenda.add(.asksAgain(link, write), at: self.world.now + 50_000)
    }

    /// Makes a link's write again that was refused, if the connection is the same.
    func write(_ write: LinkedWrite, on link: Link) {
        if link === self.link { self.write(write) }
    }

    private func write(_ write: LinkedWrite) {
        var set = SetValue(channel: write.channel, value: write.value)
        set.cause = write.root
        self.ask(.set(set))
    }
}

extension WillPlan {
    func will(of client: Int) -> Will {
        switch self {
        case .value: .value(.string("C\(client + 1) is lost"))
        case .completed: .end(.completed)
        case .failed: .end(.failed(WireError(code: "lost", message: "C\(client + 1) is lost")))
        }
    }
}

extension Got {
    fileprivate var standing: Valuation? {
        self.value.map { Valuation(value: $0.detached, revision: self.revision, cause: self.cause) }
    }
}

extension ServerMessage {
    /// The request that it answers.
    var answeredRequest: RequestID? {
        switch self {
        case .reply(let id, _): id
        case .refused(let id, _): id
        default: nil
        }
    }
}
