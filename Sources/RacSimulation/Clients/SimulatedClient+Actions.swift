import RacClient
import RacProtocol

/// Carries out a client's part of the plan.
extension SimulatedClient {
    func uses(_ step: Step) {
        switch step.action {
        case .send(_, let terminal, let sync, let conditional):
            self.send(step.number, terminal, sync: sync, conditional: conditional)
        case .sendMany(_, let terminal, let times):
            for place in 1...times {
                let value = self.world.value(of: step.number, place: place)
                self.write(.next(value, condition: nil, cause: nil), sync: false, terminal)
            }
        case .end(_, let terminal, let fails): self.end(terminal, fails: fails)
        case .bind(_, let terminal): self.bind(terminal)
        case .unbind(_, let terminal): self.unbind(terminal)
        case .leave: self.leaves()
        case .getMany(_, let channel, let times): for _ in 0..<times { self.ask(.get(self.world.name(channel))) }
        default: if let request = self.request(step) { self.ask(request) }
        }
    }

    private func send(_ step: Int, _ terminal: Int, sync: Bool, conditional: Bool) {
        guard self.terminals.indices.contains(terminal) else { return }
        let condition = conditional ? self.terminals[terminal].standing?.revision ?? Revision.never : nil
        self.write(.next(self.world.value(of: step), condition: condition, cause: nil), sync: sync, terminal)
        guard conditional else { return }
        // The second one of a condition is refused, and the third is applied behind it.
        for (place, condition) in [(1, condition), (2, nil)] {
            let value = self.world.value(of: step, place: place)
            self.write(.next(value, condition: condition, cause: nil), sync: false, terminal)
        }
    }

    private func end(_ terminal: Int, fails: Bool) {
        let error = WireError(code: "enough", message: "C\(self.number + 1) has had enough")
        self.write(.end(fails ? .failed(error) : .completed), sync: false, terminal)
    }

    private func write(_ event: Send.Event, sync: Bool, _ terminal: Int) {
        // A client sends nothing after a bye.
        guard self.terminals.indices.contains(terminal), self.isReady else { return }
        if let send = self.terminals[terminal].write(event, sync: sync) { self.say(.send(send)) }
    }

    /// Binds a channel again that it has left or that has ended.
    private func bind(_ terminal: Int) {
        guard self.terminals.indices.contains(terminal) else { return }
        self.terminals[terminal].wantsBind()
        self.bindIfWanted(terminal)
    }

    private func unbind(_ terminal: Int) {
        guard self.terminals.indices.contains(terminal), self.terminals[terminal].isSettled, self.isReady,
            let number = self.terminals[terminal].terminal
        else { return }
        self.ask(.unbind(number))
        self.terminals[terminal].leaves()
    }

    private func request(_ step: Step) -> Request? {
        switch step.action {
        case .set(_, let channel, let role, let sync, let conditional):
            var set = SetValue(channel: self.world.name(channel), value: self.world.value(of: step.number))
            set.role = role
            set.sync = sync
            set.condition = conditional ? self.known(set.channel) : nil
            return .set(set)
        case .put(_, let channels, let sync, let conditional):
            guard !channels.isEmpty else { return nil }
            // Some puts only compare their first channel.
            let guards = conditional && channels.count > 1 && step.number.isMultiple(of: 2)
            let entries = channels.enumerated().map { index, channel in
                let name = self.world.name(channel)
                return Put.Entry(
                    channel: name,
                    value: guards && index == 0 ? nil : self.world.value(of: step.number),
                    condition: conditional ? self.known(name) : nil
                )
            }
            var put = Put(entries: entries)
            put.sync = sync
            return .put(put)
        case .create(_, let channel, let mode, let sync):
            var create = Create(channel: self.world.name(channel))
            create.mode = mode
            create.value = step.number.isMultiple(of: 2) ? self.world.value(of: step.number) : nil
            create.sync = sync
            return .create(create)
        default: return self.order(step.action)
        }
    }

    /// Requests that name a channel and nothing else.
    private func order(_ action: Action) -> Request? {
        switch action {
        case .get(_, let channel): return .get(self.world.name(channel))
        case .list: return .list(List())
        case .finish(_, let channel, let sync):
            var finish = Finish(channel: self.world.name(channel), end: .completed)
            finish.sync = sync
            return .finish(finish)
        case .reopen(_, let channel, let sync): return .reopen(self.order(channel, sync))
        case .delete(_, let channel, let sync): return .delete(self.order(channel, sync))
        default: return nil
        }
    }

    private func order(_ channel: Int, _ sync: Bool) -> ChannelOrder {
        var order = ChannelOrder(channel: self.world.name(channel))
        order.sync = sync
        return order
    }

    private func known(_ channel: ChannelName) -> Revision {
        self.terminals.first { $0.channel == channel }?.standing?.revision ?? .never
    }
}
