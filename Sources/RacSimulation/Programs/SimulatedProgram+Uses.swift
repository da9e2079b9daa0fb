import RacClient
import RacProtocol

/// Carries out a program's part of the plan.
extension SimulatedProgram {
    func uses(_ step: Step) {
        switch step.action {
        case .send(_, let terminal, let sync, let conditional):
            let value = self.world.value(of: step.number)
            self.view(terminal)?.writes(value, sync: sync, conditional: conditional)
        case .sendMany(_, let terminal, let times):
            for place in 1...times {
                let value = self.world.value(of: step.number, place: place)
                self.view(terminal)?.writes(value, sync: false, conditional: false)
            }
        case .end(_, let terminal, let fails): self.view(terminal)?.ends(fails: fails)
        case .bind(_, let terminal): if let client = self.client { self.view(terminal)?.binds(client) }
        case .unbind(_, let terminal): self.view(terminal)?.unbinds()
        case .leave: self.leaves()
        case .command(let use): self.uses(use, step.number)
        default: if let client = self.client { self.asks(step, client) }
        }
    }

    private func view(_ terminal: Int) -> SimulatedView? {
        self.client != nil && self.views.indices.contains(terminal) ? self.views[terminal] : nil
    }

    /// Requests that belong to no terminal.
    private func asks(_ step: Step, _ client: Client) {
        let value = self.world.value(of: step.number)
        switch step.action {
        case .set(_, let channel, let role, let sync, let conditional):
            let name = self.world.name(channel)
            let revision =
                conditional ? self.world.ledger.truth[name].flatMap { Shown($0).sent(by: role)?.revision } : nil
            self.begin { try await client.set(name.text, value, as: role, ifUnchangedSince: revision, sync: sync) }
        case .put(_, let channels, let sync, _):
            let values = channels.map { ChannelValue(self.world.name($0).text, value) }
            guard !values.isEmpty else { return }
            self.begin { try await client.put(values, sync: sync) }
        case .create(_, let channel, let mode, let sync):
            let (name, first) = (self.world.name(channel).text, step.number.isMultiple(of: 2) ? value : nil)
            self.begin { try await client.create(name, mode: mode, value: first, sync: sync) }
        default: self.orders(step.action, client)
        }
    }

    /// Requests that name a channel and nothing else.
    private func orders(_ action: Action, _ client: Client) {
        switch action {
        case .get(_, let channel):
            let name = self.world.name(channel).text
            self.begin { _ = try await client.get(name) }
        case .getMany(_, let channel, let times):
            let name = self.world.name(channel).text
            for _ in 0..<times { self.begin { _ = try await client.get(name) } }
        case .list: self.begin { _ = try await client.list() }
        case .finish(_, let channel, let sync):
            let name = self.world.name(channel).text
            self.begin { try await client.finish(name, sync: sync) }
        case .reopen(_, let channel, let sync):
            let name = self.world.name(channel).text
            self.begin { try await client.reopen(name, sync: sync) }
        case .delete(_, let channel, let sync):
            let name = self.world.name(channel).text
            self.begin { try await client.delete(name, sync: sync) }
        default: break
        }
    }
}
