import RacProtocol
import RacStore
import RacTesting

/// Makes up a plan from a seed.
struct PlanMaker {
    private var random: SeededRandom
    private var channels: [ChannelPlan] = []
    private var commands: [CommandName] = []
    private var clients: [ClientPlan] = []
    /// The client that acted last.
    private var lastUser = 0
    /// The client that has just stopped reading.
    private var slowReader: Int?

    init(seed: UInt64) {
        self.random = SeededRandom(seed: seed)
    }

    /// Makes up the plan.
    ///
    /// - Parameters:
    ///   - count: The number of steps, without changes of rules.
    ///   - isClosed: Whether the daemon has rules in any case; else a part of the plans has.
    /// - Returns: The plan of this seed.
    mutating func plan(steps count: Int, isClosed: Bool) -> Plan {
        let seed = self.random.seed
        var weather = self.weather()
        self.channels = self.makeChannels()
        self.clients = (0..<Int.random(in: 2...5, using: &self.random)).map { _ in self.client() }
        self.clients += self.links()
        let names = ["work", "room/work"].prefix(max(0, Int.random(in: -1...2, using: &self.random)))
        self.commands = names.compactMap { try? CommandName($0) }
        var steps = self.steps(count, weather)
        // The last choices, so that a seed gives the steps that it gave before there were this bound and rules.
        if self.random.once(in: 3) { weather.bounds.watchNameBytes = self.one(of: [150, 300, 500]) }
        if self.random.once(in: 3) { self.contend(in: &steps) }
        var plan = Plan(
            seed: seed,
            weather: weather,
            channels: self.channels,
            commands: self.commands,
            clients: self.clients,
            steps: steps
        )
        if self.random.once(in: 4) || isClosed {
            var maker = RulesMaker(self.random)
            maker.close(&plan)
        }
        return plan
    }

    private mutating func weather() -> Weather {
        Weather(
            longestDelay: self.one(of: [50, 2_000, 10_000, 40_000]),
            longestTick: self.one(of: [0, 100, 3_000]),
            longestCommit: self.one(of: [200, 5_000, 30_000]),
            window: self.one(of: [150, 150, 600, 4_000, 64 << 10]),
            queuedBytes: self.one(of: [300, 300, 2_000, 1 << 20]),
            durability: self.one(of: [.full, .full, .normal]),
            revisionBlock: self.one(of: [30, 1_000, 1_000_000]),
            bounds: self.bounds(),
            longestValue: self.longestValue()
        )
    }

    /// In some histories a few answers are more than the daemon queues for a client.
    private mutating func longestValue() -> UInt64? {
        self.random.once(in: 200) ? 400_000 : self.one(of: [nil, nil, nil, nil, nil, 3_000, 3_000])
    }

    private mutating func bounds() -> Bounds {
        var bounds = Bounds()
        if self.random.once(in: 3) { bounds.sessionLifetime = self.one(of: [200, 1_000]) }
        if self.random.once(in: 3) { bounds.pauseBytes = self.one(of: [400, 3_000, 20_000]) }
        if self.random.once(in: 4) { bounds.aheadBytes = self.one(of: [100, 2_000]) }
        if self.random.once(in: 3) { bounds.unitsPerTurn = self.one(of: [20, 100, 1_000]) }
        return bounds
    }

    private mutating func makeChannels() -> [ChannelPlan] {
        let plain = [("a", ChannelMode.shared), ("b", .shared), ("p", .paired), ("q", .paired)]
        let linked = self.random.once(in: 3) ? Int.random(in: 2...4, using: &self.random) : 0
        let known = plain.prefix(Int.random(in: 1...4, using: &self.random))
        return known.compactMap { Self.channel($0.0, $0.1, isLinked: false) }
            + (0..<linked).compactMap { Self.channel("link/\($0)", .shared, isLinked: true) }
    }

    private static func channel(_ name: String, _ mode: ChannelMode, isLinked: Bool) -> ChannelPlan? {
        (try? ChannelName(name)).map { ChannelPlan(name: $0, mode: mode, isLinked: isLinked) }
    }

    private mutating func one<Choice>(of choices: [Choice]) -> Choice {
        choices[Int.random(in: choices.indices, using: &self.random)]
    }
}

// MARK: Clients

extension PlanMaker {
    private mutating func client() -> ClientPlan {
        var terminals: [TerminalPlan] = []
        for _ in 0..<Int.random(in: 1...3, using: &self.random) {
            let terminal = self.terminal()
            let isThere = terminals.contains { $0.channel == terminal.channel && $0.role == terminal.role }
            if !isThere { terminals.append(terminal) }
        }
        // Two wills of one client would be applied at once, and the first would look like the second.
        if self.random.once(in: 3) { terminals[0].will = self.one(of: [.value, .completed, .failed]) }
        if self.channels[terminals[0].channel].isLinked { terminals[0].will = nil }
        return ClientPlan(
            isProgram: !self.random.once(in: 3),
            terminals: terminals,
            framing: self.one(of: [.plain, .deflated]),
            hasSession: !self.random.once(in: 6),
            watches: self.random.once(in: 3),
            observes: self.random.once(in: 2),
            isLink: false
        )
    }

    private mutating func terminal() -> TerminalPlan {
        let channel = Int.random(in: self.channels.indices, using: &self.random)
        return TerminalPlan(
            channel: channel,
            role: self.random.once(in: 3) ? .leading : .following,
            replays: self.one(of: [nil, nil, true]),
            conflates: self.one(of: [nil, nil, nil, false, true]),
            interval: self.random.once(in: 6) ? self.one(of: [1, 10, 80]) : nil,
            hasDefault: self.random.once(in: 5) && !self.channels[channel].isLinked,
            will: nil
        )
    }

    /// Links that make a line, a ring or a star of the linked channels; some of them twice.
    private mutating func links() -> [ClientPlan] {
        let linked = self.channels.indices.filter { self.channels[$0].isLinked }
        guard linked.count > 1 else { return [] }
        let isStar = self.random.once(in: 3)
        var pairs = linked.indices.dropFirst().map { (linked[isStar ? 0 : $0 - 1], linked[$0]) }
        if !isStar, linked.count > 2, !self.random.once(in: 3) { pairs.append((linked[linked.count - 1], linked[0])) }
        if self.random.once(in: 3) { pairs.append(pairs[0]) }
        return pairs.map { pair in
            let terminals = [pair.0, pair.1].map { TerminalPlan.following($0) }
            return ClientPlan(isProgram: true, terminals: terminals, hasSession: true, watches: false, isLink: true)
        }
    }
}

extension TerminalPlan {
    fileprivate static func following(_ channel: Int) -> TerminalPlan {
        TerminalPlan(channel: channel, role: .following, hasDefault: false)
    }
}

// MARK: Steps

extension PlanMaker {
    private mutating func steps(_ count: Int, _ weather: Weather) -> [Step] {
        let calm: Microseconds = self.one(of: [500, 5_000, 50_000])
        // A history has no faults, few or many.
        let faults = self.one(of: [0, 3, 10, 30])
        let lifetime = weather.bounds.sessionLifetime * 1_000
        var at: Microseconds = 100_000
        return (0..<count).map { number in
            at += self.random.once(in: 3) ? 0 : UInt64.random(in: 0...calm, using: &self.random)
            if self.random.once(in: 40) { at += 300_000 }
            let isFault = Int.random(in: 0..<100, using: &self.random) < faults
            let step = Step(number: number + 1, at: at, action: isFault ? self.fault(lifetime) : self.use())
            // The other clients go on meanwhile or afterwards.
            if self.random.once(in: 2) { at = step.end }
            return step
        }
    }

    private mutating func use() -> Action {
        if let reader = self.slowReader {
            if self.random.once(in: 3) { self.slowReader = nil }
            return self.isGivenMuch(reader) ?? self.asksForMuch(reader)
        }
        let programs = self.clients.indices.filter { !self.clients[$0].isLink }
        let client = self.one(of: Array(programs))
        self.lastUser = client
        let terminal = Int.random(in: self.clients[client].terminals.indices, using: &self.random)
        let sync = self.random.once(in: 5)
        if !self.commands.isEmpty, self.clients[client].isProgram, self.random.once(in: 3) {
            return .command(self.commandUse(client))
        }
        switch Int.random(in: 0..<24, using: &self.random) {
        case 0..<12:
            // A program sends no conditions: its conditional writes are requests.
            let conditional = self.random.once(in: self.clients[client].isProgram ? 5 : 2)
            return .send(client: client, terminal: terminal, sync: sync, conditional: conditional)
        case 12 where !self.isLinked(client, terminal):
            return .end(client: client, terminal: terminal, fails: self.random.once(in: 2))
        case 13: return .unbind(client: client, terminal: terminal)
        case 14, 15: return .bind(client: client, terminal: terminal)
        case 16 where self.random.once(in: 3): return .leave(client: client)
        default: return self.request(client, sync: sync)
        }
    }

    private static let many = 2...10

    /// A client that does not read sends more and more requests.
    private mutating func asksForMuch(_ client: Int) -> Action {
        let channel = Int.random(in: self.channels.indices, using: &self.random)
        return .getMany(client: client, channel: channel, times: Int.random(in: Self.many, using: &self.random))
    }

    /// Another client, if there is one, sends to the client that does not read.
    private mutating func isGivenMuch(_ reader: Int) -> Action? {
        let every = self.clients[reader].terminals.filter(self.getsEvery)
        let readers = every.isEmpty ? self.clients[reader].terminals : every
        let writers = self.clients.indices.filter { $0 != reader && !self.clients[$0].isLink }.flatMap { client in
            let terminals = self.clients[client].terminals
            return terminals.indices.filter { self.reaches(readers, from: terminals[$0]) }.map { (client, $0) }
        }
        guard !writers.isEmpty, !self.random.once(in: 3) else { return nil }
        let (client, terminal) = self.one(of: writers)
        return .sendMany(client: client, terminal: terminal, times: Int.random(in: Self.many, using: &self.random))
    }

    private func reaches(_ readers: [TerminalPlan], from writer: TerminalPlan) -> Bool {
        let isShared = self.channels[writer.channel].mode == .shared
        return readers.contains { $0.channel == writer.channel && (isShared || $0.role != writer.role) }
    }

    private func getsEvery(_ terminal: TerminalPlan) -> Bool {
        guard terminal.interval == nil else { return false }
        return !(terminal.conflates ?? (self.channels[terminal.channel].mode == .shared))
    }

    private func isLinked(_ client: Int, _ terminal: Int) -> Bool {
        self.channels[self.clients[client].terminals[terminal].channel].isLinked
    }

    private mutating func request(_ client: Int, sync: Bool) -> Action {
        let channel = Int.random(in: self.channels.indices, using: &self.random)
        let conditional = self.random.once(in: 3)
        let kind = Int.random(in: 0..<12, using: &self.random)
        switch kind {
        case 0..<3:
            let role: Role = self.random.once(in: 3) ? .leading : .following
            return .set(client: client, channel: channel, role: role, sync: sync, conditional: conditional)
        case 3, 4:
            let channels = self.channels.indices.filter { _ in self.random.once(in: 2) }
            return .put(client: client, channels: channels + [], sync: sync, conditional: conditional)
        case 5..<9 where !self.channels[channel].isLinked:
            return self.lifeAndDeath(kind, client, channel, sync: sync)
        case 9: return .list(client: client)
        default: return .get(client: client, channel: channel)
        }
    }

    private mutating func lifeAndDeath(_ kind: Int, _ client: Int, _ channel: Int, sync: Bool) -> Action {
        switch kind {
        case 5:
            let mode = self.random.once(in: 4) ? ChannelMode.paired : self.channels[channel].mode
            return .create(client: client, channel: channel, mode: mode, sync: sync)
        case 6: return .finish(client: client, channel: channel, sync: sync)
        case 7: return .delete(client: client, channel: channel, sync: sync)
        default: return .reopen(client: client, channel: channel, sync: sync)
        }
    }

    private mutating func commandUse(_ client: Int) -> CommandUse {
        let what: CommandUse.What =
            switch Int.random(in: 0..<12, using: &self.random) {
            case 0, 1: .host(isConcurrent: self.random.once(in: 3))
            case 2: .unhost
            case 3: .allow(!self.random.once(in: 3))
            case 4: .cancel
            case 5, 6: .observe
            default: .execute
            }
        let command = Int.random(in: self.commands.indices, using: &self.random)
        return CommandUse(client: client, command: command, what: what)
    }

    /// Several programs host one command and execute it, in the place of half of what happens otherwise.
    private mutating func contend(in steps: inout [Step]) {
        let programs = self.clients.indices.filter { self.clients[$0].isProgram && !self.clients[$0].isLink }
        guard !self.commands.isEmpty, programs.count > 1 else { return }
        let command = Int.random(in: self.commands.indices, using: &self.random)
        var caller = programs[0]
        for index in steps.indices where self.random.once(in: 2) {
            var client = self.one(of: programs)
            let what: CommandUse.What =
                switch Int.random(in: 0..<12, using: &self.random) {
                case 0..<3: .host(isConcurrent: self.random.once(in: 4))
                case 3, 4: .unhost
                case 5: .allow(!self.random.once(in: 3))
                case 6..<9: .cancel
                default: .execute
                }
            if what == .execute { caller = client } else if what == .cancel { client = caller }
            steps[index].action = .command(CommandUse(client: client, command: command, what: what))
        }
    }

    private mutating func fault(_ sessionLifetime: Microseconds) -> Action {
        // A fault is worth more while bytes are under way.
        let client =
            self.random.once(in: 2) ? self.lastUser : Int.random(in: self.clients.indices, using: &self.random)
        let time = self.one(of: [1_000, 30_000, 200_000] as [Microseconds])
        if sessionLifetime < Self.longAbsence, self.random.once(in: 4) {
            return .away(client: client, self.absence(sessionLifetime))
        }
        switch Int.random(in: 0..<14, using: &self.random) {
        case 0...2: return .cut(client: client)
        case 3: return .silence(client: client)
        case 4: return .abandon(client: client)
        case 5, 6: return self.stall(client, time)
        case 7: return .slow(client: client, time)
        case 8, 9: return .crash(self.random.once(in: 2) ? .kill : .power, downFor: time)
        case 10: return .restart(downFor: time)
        case 11: return .fillDisk(time * 3)
        case 12: return .away(client: client, self.absence(sessionLifetime))
        default: return .setClock(by: Int64.random(in: -100_000...100_000, using: &self.random))
        }
    }
    /// A binding that gets every value has more to lose.
    private mutating func stall(_ client: Int, _ time: Microseconds) -> Action {
        let choosy = self.clients.indices.filter { self.clients[$0].terminals.contains(where: self.getsEvery) }
        let client = choosy.isEmpty || self.random.once(in: 2) ? client : self.one(of: choosy)
        self.slowReader = self.clients[client].isLink ? nil : client
        return .stall(client: client, max(time, 10_000))
    }

    /// A minute costs much work, because every other connection gives signs of life all the time.
    private static let longAbsence: Microseconds = 10_000_000

    /// Shorter or longer than the lifetime of a session.
    private mutating func absence(_ sessionLifetime: Microseconds) -> Microseconds {
        guard sessionLifetime < Self.longAbsence || self.random.once(in: 20) else { return 400_000 }
        return self.one(of: [sessionLifetime / 2, sessionLifetime * 3 / 4, sessionLifetime, sessionLifetime + 300_000])
    }
}
