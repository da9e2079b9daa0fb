import RacClient
import RacProtocol

extension SimulatedClient {
    func deliver(_ reply: Reply, _ request: Request?) throws(Violation) {
        switch (request, reply) {
        case (.bind(let bind), .bound(let bound)):
            if let index = self.index(of: bind) { try self.resume(index, bound) }
        case (.get(let channel), .got(let got)): try self.stood(channel, got.standing)
        case (_, _): break
        }
    }

    private func resume(_ index: Int, _ bound: Bound) throws(Violation) {
        let resends = self.terminals[index].bound(bound)
        if self.world.sabotage == .trustedNumber {
            try self.checkApplied(index, through: bound.lastApplied)
            self.terminals[index].takeForAnswered(through: bound.lastApplied)
        }
        for send in resends { self.say(.send(send)) }
    }

    /// The daemon applied the sends that the client takes for applied.
    func checkApplied(_ index: Int, through number: SendNumber) throws(Violation) {
        let terminal = self.terminals[index]
        for send in terminal.unanswered(through: number) {
            guard case .next(let value, _, _) = send.event else { continue }
            try hold(.exactlyOnce, self.world.ledger.truth.wasApplied(value, to: terminal.channel)) {
                "\(self.name) takes \(value) for applied, which was refused"
            }
        }
    }

    func deliver(_ refusal: Refusal, _ request: Request?) throws(Violation) {
        switch request {
        case .bind(let bind): if let index = self.index(of: bind) { self.terminals[index].bindRefused() }
        case .get(let channel): try self.stood(channel, nil)
        default: break
        }
    }

    private func index(of bind: Bind) -> Int? {
        self.terminals.firstIndex { $0.channel == bind.channel && $0.plan.role == bind.role }
    }

    /// A send was refused without the channel's state.
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
