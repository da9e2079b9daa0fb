import RacProtocol

extension World {
    func happens(_ step: Step) throws(Violation) {
        self.isActive()
        self.timeline?.step(step)
        switch step.action {
        case .send, .end, .bind, .unbind, .set, .put, .get, .create, .finish, .reopen, .delete, .leave:
            self.uses(step)
        case .command(let use): self.client(use.client)?.happens(use)
        case .cut(let client): if let link = self.client(client)?.link { self.cut(link) }
        case .silence(let client): if let link = self.client(client)?.link { self.silence(link) }
        case .abandon(let client):
            guard let client = self.client(client), let link = client.link else { return }
            self.silence(link)
            try client.hangUp()
        case .stall(let number, let time):
            guard let client = self.client(number) else { return }
            client.stalledUntil = max(client.stalledUntil, self.now + time)
            self.agenda.add(.reads(client: number), at: client.stalledUntil)
        case .slow(let client, let delay): self.client(client)?.extraDelay = delay
        case .crash(let crash, let time): self.crash(crash, downFor: time)
        case .restart(let time): self.restart(downFor: time)
        case .fillDisk(let time):
            self.disk.isFull = true
            self.diskFullUntil = max(self.diskFullUntil, self.now + time)
            self.agenda.add(.diskHasSpace, at: self.diskFullUntil)
        case .setClock(let milliseconds): self.clockOffset += milliseconds
        }
    }

    private func client(_ number: Int) -> SimulatedClient? {
        self.clients.indices.contains(number) && self.plan.clients[number].isPresent ? self.clients[number] : nil
    }

    private func uses(_ step: Step) {
        switch step.action {
        case .send(let client, let terminal, let sync, let conditional):
            self.client(client)?.send(step.number, terminal, sync: sync, conditional: conditional)
        case .end(let client, let terminal, let fails): self.client(client)?.end(terminal, fails: fails)
        case .bind(let client, let terminal): self.client(client)?.bind(terminal)
        case .unbind(let client, let terminal): self.client(client)?.unbind(terminal)
        case .leave(let client): self.client(client)?.leaves()
        case .set(let client, let channel, let role, let sync, let conditional):
            self.client(client)?.set(step.number, self.name(channel), role, sync: sync, conditional: conditional)
        case .put(let client, let channels, let sync, let conditional):
            self.client(client)?.put(step.number, channels.map(self.name), sync: sync, conditional: conditional)
        case .create(let client, let channel, let mode, let sync):
            self.client(client)?.create(step.number, self.name(channel), mode, sync: sync)
        default: self.orders(step.action)
        }
    }

    /// What names a channel and nothing else.
    private func orders(_ action: Action) {
        switch action {
        case .get(let client, let channel): self.client(client)?.ask(.get(self.name(channel)))
        case .finish(let client, let channel, let sync):
            var finish = Finish(channel: self.name(channel), end: .completed)
            finish.sync = sync
            self.client(client)?.ask(.finish(finish))
        case .reopen(let client, let channel, let sync):
            self.client(client)?.ask(.reopen(self.order(channel, sync)))
        case .delete(let client, let channel, let sync):
            self.client(client)?.ask(.delete(self.order(channel, sync)))
        default: break
        }
    }

    private func order(_ channel: Int, _ sync: Bool) -> ChannelOrder {
        var order = ChannelOrder(channel: self.name(channel))
        order.sync = sync
        return order
    }

    private func name(_ channel: Int) -> ChannelName { self.plan.channels[channel].name }
}
