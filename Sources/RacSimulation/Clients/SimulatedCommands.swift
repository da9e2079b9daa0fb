import RacProtocol

/// The commands that a program hosts, executes and observes.
struct SimulatedCommands {
    /// An execution that the program is at work on.
    struct Work: Hashable {
        let execution: ExecutionID
        var saidValues: UInt64 = 0
        var isCancelled = false
    }

    /// What it wants to host, by the command's place in the plan, and whether it allows executions.
    var hosted: [Int: Bool] = [:]
    var observed: Set<Int> = []
    /// The daemon's numbers of what it hosts on this connection.
    var numbers: [Int: CommandID] = [:]
    /// What it works on, the oldest first.
    var works: [Work] = []
    /// The execution that it has asked for last.
    var lastAsked: ExecutionID?

    /// The connection is gone: its executions are nobody's any more.
    mutating func lost() {
        self.numbers = [:]
        self.works = []
        self.lastAsked = nil
    }
}

extension SimulatedClient {
    /// How long a host works on each value.
    private static let longestWork: Microseconds = 20_000
    private static let mostValues: UInt64 = 3

    func happens(_ use: CommandUse) {
        let name = self.world.plan.commands[use.command]
        switch use.what {
        case .host(let isConcurrent):
            self.commands.hosted[use.command] = true
            self.host(use.command, isConcurrent: isConcurrent)
        case .unhost:
            guard let number = self.commands.numbers.removeValue(forKey: use.command) else { return }
            self.commands.hosted[use.command] = nil
            self.ask(.unhost(number))
        case .allow(let isEnabled):
            guard self.commands.hosted[use.command] != nil, let number = self.commands.numbers[use.command] else {
                return
            }
            self.commands.hosted[use.command] = isEnabled
            self.say(.enabled(number, isEnabled))
        case .execute: self.ask(.exec(Exec(command: name, input: .integer(self.number))))
        case .cancel: if let execution = self.commands.lastAsked { self.say(.cancel(execution)) }
        case .observe: if self.commands.observed.insert(use.command).inserted { self.ask(.observe(name)) }
        }
    }

    private func host(_ command: Int, isConcurrent: Bool) {
        var host = HostCommand(command: self.world.plan.commands[command])
        host.isConcurrent = isConcurrent
        host.isEnabled = self.commands.hosted[command] ?? true
        self.ask(.host(host))
    }

    /// There is a connection again: what it hosted and observed, it hosts and observes on.
    func resumeCommands() {
        for command in self.world.plan.commands.indices {
            if self.commands.hosted[command] != nil { self.host(command, isConcurrent: false) }
            if self.commands.observed.contains(command) { self.ask(.observe(self.world.plan.commands[command])) }
        }
    }

    func deliverCommand(_ message: ServerMessage) {
        switch message {
        case .execute(let execute):
            self.commands.works.append(SimulatedCommands.Work(execution: execute.execution))
            self.worksLater(execute.execution, 0)
        case .cancel(let execution):
            guard let index = self.commands.works.firstIndex(where: { $0.execution == execution }) else { return }
            self.commands.works[index].isCancelled = true
        default: break
        }
    }

    func deliverCommand(_ reply: Reply, _ request: Request?) {
        switch (reply, request) {
        case (.hosting(let number), .host(let host)): self.setNumber(number, of: host.command)
        case (.executing(let execution), _): self.commands.lastAsked = execution
        case (_, _): break
        }
    }

    private func setNumber(_ number: CommandID, of name: CommandName) {
        guard let command = self.world.plan.commands.firstIndex(of: name) else { return }
        self.commands.numbers[command] = number
    }

    private func worksLater(_ execution: ExecutionID, _ values: UInt64) {
        guard let link = self.link else { return }
        let place = Int(execution.number * (Self.mostValues + 1) + values)
        let time = self.world.noise.number(upTo: Self.longestWork, at: .work, self.number, place)
        self.world.agenda.add(.works(link, execution), at: self.world.now + time)
    }

    /// Says the next value of an execution, or its end.
    func works(_ execution: ExecutionID, on link: Link) {
        guard link === self.link, let index = self.commands.works.firstIndex(where: { $0.execution == execution })
        else {
            return
        }
        let work = self.commands.works[index]
        let values = self.world.noise.number(upTo: Self.mostValues, at: .work, self.number, Int(execution.number))
        guard !work.isCancelled, work.saidValues < values else {
            self.commands.works.remove(at: index)
            return self.say(.progress(execution, .ended(self.end(of: work))))
        }
        self.commands.works[index].saidValues += 1
        self.say(.progress(execution, .next(.string("\(execution.number).\(work.saidValues + 1)"))))
        self.worksLater(execution, work.saidValues + 1)
    }

    private func end(of work: SimulatedCommands.Work) -> ChannelEnd {
        if work.isCancelled { return .failed(WireError(code: "cancelled", message: "the caller has cancelled")) }
        return work.execution.number.isMultiple(of: 3) ? .failed(WireError(code: "broken", message: "")) : .completed
    }
}
