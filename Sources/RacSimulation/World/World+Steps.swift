import RacProtocol

extension World {
    func happens(_ step: Step) throws(Violation) {
        self.isActive()
        self.timeline?.step(step)
        switch step.action {
        case .cut(let client): if let link = self.client(client)?.link { self.cut(link) }
        case .silence(let client): if let link = self.client(client)?.link { self.silence(link) }
        case .abandon(let client):
            guard let client = self.client(client), let link = client.link else { return }
            self.silence(link)
            try client.hangUp()
        case .away(let number, let time):
            guard let client = self.client(number) else { return }
            client.awayUntil = max(client.awayUntil, self.now + time)
            if client.link != nil { try client.hangUp() }
        case .stall(let number, let time):
            guard let client = self.client(number) else { return }
            client.stalledUntil = max(client.stalledUntil, self.now + time)
            self.agenda.add(.reads(client: number), at: client.stalledUntil)
        case .slow(let client, let delay): self.client(client)?.extraDelay = delay
        case .crash(let crash, let time): self.crash(crash, downFor: time)
        case .restart(let time): try self.restart(downFor: time)
        case .fillDisk(let time):
            self.diskFails(for: time)
        case .setClock(let milliseconds): self.clockOffset += milliseconds
        case .rules(let rules): try self.reload(rules)
        default: if let number = step.action.user { self.client(number)?.uses(step) }
        }
    }

    /// The disk is full, or the files of the daemon are moved away.
    private func diskFails(for time: Microseconds) {
        if self.noise.number(upTo: 1, at: .files, Int(self.now)) == 0 {
            self.disk.isMoved = true
            self.timeline?.note("the files are moved away instead")
        } else {
            self.disk.isFull = true
        }
        self.diskFailsUntil = max(self.diskFailsUntil, self.now + time)
        self.agenda.add(.diskHasSpace, at: self.diskFailsUntil)
    }

    func diskIsWell() {
        self.disk.isFull = false
        self.disk.isMoved = false
    }

    /// An open daemon takes no rules.
    private func reload(_ rules: RulesPlan) throws(Violation) {
        guard self.rules != nil else { return }
        let rules = try self.inForce(rules)
        self.rules = rules
        self.daemon?.takes(rules)
        for client in self.turnedAway.sorted() { self.comesBack(client) }
    }

    /// The daemon has turned a client away, which comes back as soon as the operator's rules know its principal.
    func turnsAway(_ client: Int) {
        self.turnedAway.insert(client)
        self.comesBack(client)
    }

    private func comesBack(_ client: Int) {
        guard self.rules?.rules.principal(self.plan.clients[client].principal) != nil else { return }
        self.turnedAway.remove(client)
        self.agenda.add(.connects(client: client), at: self.now + 100_000)
    }

    private func client(_ number: Int) -> (any Participant)? {
        self.clients.indices.contains(number) && self.plan.clients[number].isPresent ? self.clients[number] : nil
    }

    func name(_ channel: Int) -> ChannelName { self.plan.channels[channel].name }

    /// The value that a step writes: named by the step, so that each value is unique, and sometimes long.
    func value(of step: Int, place: Int? = nil) -> JSONText {
        let name = "v\(step)\(place.map { ".\($0)" } ?? "")"
        let chance = (place ?? 0) << 1
        guard let longest = self.plan.weather.longestValue, self.noise.number(upTo: 1, at: .value, step, chance) == 0
        else { return .string(name) }
        let bytes = self.noise.number(upTo: longest, at: .value, step, chance + 1)
        return .string(name + String(repeating: " \(name)", count: Int(bytes) / (name.utf8.count + 1)))
    }
}

extension Action {
    /// The client that acts; nil if the action happens to a client, or to the world.
    fileprivate var user: Int? {
        switch self {
        case .send(let client, _, _, _), .sendMany(let client, _, _), .end(let client, _, _), .bind(let client, _),
            .unbind(let client, _),
            .set(let client, _, _, _, _), .put(let client, _, _, _), .get(let client, _), .getMany(let client, _, _),
            .create(let client, _, _, _),
            .finish(let client, _, _), .reopen(let client, _, _), .delete(let client, _, _), .leave(let client),
            .list(let client):
            client
        case .command(let use): use.client
        case .cut, .silence, .abandon, .away, .stall, .slow, .crash, .restart, .fillDisk, .setClock, .rules: nil
        }
    }
}
