import RacAccess
import RacProtocol

/// The fates of executions, and the knowledge of observers.
struct CommandWitness {
    struct Key: Hashable {
        let life: Int
        let execution: ExecutionID
    }

    private struct Run {
        var caller: Int?
        var command: CommandName?
        /// Nil until the host has been asked.
        var host: PlaceKey?
        /// Values that the daemon has received from the host.
        var said: [ExecutionEvent] = []
        /// The number of these values that the caller has received.
        var heard = 0
        var isCancelled = false
        /// Whether the host has gone or no longer hosts.
        var isHostLost = false
        var isOver = false
    }

    private struct Hosting {
        let command: CommandName
        var isEnabled: Bool
        let isConcurrent: Bool
        /// Executions on which the host works, as far as the host knows.
        var running: Set<ExecutionID> = []
    }

    /// A command on one connection.
    private struct PlaceKey: Hashable {
        let link: Int
        let command: CommandID
    }

    private var runs: [Key: Run] = [:]
    private var hostings: [PlaceKey: Hosting] = [:]
    /// The step that hosts each function which has not returned, by its input.
    ///
    /// Each execution has another input.
    private var bodies: [JSONText: Int] = [:]
    private var inputs: [Key: JSONText] = [:]
    /// Commands that were hosted once and no longer are.
    private var lostHosts: Set<PlaceKey> = []
    /// Connections that the daemon has lost, or that have said bye.
    private var gone: Set<Int> = []
    private var observed: [PlaceKey: (command: CommandName, state: CommandState)] = [:]
    /// The newest failure of which each observer must be notified.
    private var owedFailures: [PlaceKey: Key] = [:]
    private var toldFailures: Set<Told> = []
    /// The rights by which each connection was judged anew, in their order.
    private var judgements: [Int: [RightsWitness]] = [:]

    /// The newest failure of which an observer was notified.
    private struct Told: Hashable {
        let place: PlaceKey
        let run: Key
    }
}

// MARK: What the daemon hears

extension CommandWitness {
    mutating func said(_ event: ExecutionEvent, _ key: Key, by link: Int) {
        guard self.runs[key]?.host?.link == link, self.runs[key]?.isHostLost == false else { return }
        self.runs[key]?.said.append(event)
        if case .ended(.failed) = event, let run = self.runs[key] { self.owe(key, run) }
    }

    /// Observers are notified of a failure, unless its caller had abandoned the execution.
    private mutating func owe(_ key: Key, _ run: Run) {
        guard let host = run.host, let command = self.hostings[host]?.command else { return }
        let isWanted =
            !run.isCancelled && !self.mayBeForbidden(run) && run.caller.map { !self.gone.contains($0) } ?? false
        for (place, known) in self.observed where known.command == command && !self.gone.contains(place.link) {
            self.owedFailures[place] = isWanted ? key : nil
        }
    }

    mutating func unobserved(_ command: CommandID, by link: Int) {
        self.observed[PlaceKey(link: link, command: command)] = nil
        self.owedFailures[PlaceKey(link: link, command: command)] = nil
    }

    mutating func cancelled(_ key: Key, by link: Int) {
        if self.runs[key]?.caller == link { self.runs[key]?.isCancelled = true }
    }

    mutating func enabled(_ command: CommandID, _ isEnabled: Bool, by link: Int) {
        self.hostings[PlaceKey(link: link, command: command)]?.isEnabled = isEnabled
    }

    mutating func unhosted(_ command: CommandID, by link: Int) {
        self.loseHost(PlaceKey(link: link, command: command))
    }

    mutating func disconnected(_ link: Int) {
        self.gone.insert(link)
        for place in self.hostings.keys where place.link == link { self.loseHost(place) }
    }

    /// Other rules are in force for a connection.
    mutating func judged(_ link: Int, _ rights: RightsWitness) {
        self.judgements[link, default: []].append(rights)
        for (place, hosting) in self.hostings where place.link == link && !rights.allows(.host, hosting.command.name) {
            self.loseHost(place)
        }
        for (place, known) in self.observed where place.link == link && !rights.allows(.observe, known.command.name) {
            self.unobserved(place.command, by: link)
        }
    }

    /// The rules had ended a host or an observer before its client knew of it.
    mutating func lost(_ reply: Reply, by link: Int) {
        switch reply {
        case .hosting(let number): self.unhosted(number, by: link)
        case .observing(let number, _): self.unobserved(number, by: link)
        default: break
        }
    }

    private mutating func loseHost(_ place: PlaceKey) {
        guard self.hostings.removeValue(forKey: place) != nil else { return }
        self.lostHosts.insert(place)
        for key in self.runs.keys where self.runs[key]?.host == place { self.runs[key]?.isHostLost = true }
    }
}

// MARK: What hosts do

extension CommandWitness {
    /// The asynchronous function of a command begins.
    ///
    /// - Parameters:
    ///   - input: Its input, which no other execution has.
    ///   - isConcurrent: Whether its command may run several times at once.
    ///   - host: The step of the plan that hosts the command.
    ///   - name: The host's client.
    /// - Throws: The violation, if a command that is not concurrent runs twice.
    mutating func bodyBegan(
        _ input: JSONText,
        isConcurrent: Bool,
        hostedAt host: Int,
        _ name: String
    ) throws(Violation) {
        try hold(.commands, isConcurrent || !self.bodies.values.contains(host)) {
            "\(name) begins the execution of \(input) before the function of another one has returned"
        }
        self.bodies[input] = host
    }

    mutating func bodyReturned(_ input: JSONText) {
        self.bodies[input] = nil
    }

    /// The daemon hears the end of an execution, which is executing for everybody until then.
    func checkReturned(_ key: Key, _ name: String) throws(Violation) {
        guard let input = self.inputs[key] else { return }
        try hold(.commands, self.bodies[input] == nil) {
            "\(name) told the end of execution \(key.execution.number), whose function has not returned"
        }
    }

    /// Whether a connection hosts a command.
    func isHosted(_ command: CommandName) -> Bool {
        self.hostings.values.contains { $0.command == command }
    }
}

// MARK: What clients hear

extension CommandWitness {
    mutating func heard(
        _ reply: Reply,
        to request: Request?,
        _ life: Int,
        _ link: Int,
        _ name: String
    ) throws(Violation) {
        switch (reply, request) {
        case (.hosting(let number), .host(let host)):
            let hosting = Hosting(command: host.command, isEnabled: host.isEnabled, isConcurrent: host.isConcurrent)
            let place = PlaceKey(link: link, command: number)
            self.hostings[place] = hosting
            // The answer was under way when the host left.
            if self.gone.contains(link) { self.loseHost(place) }
        case (.observing(let number, let state), .observe(let command)):
            self.observed[PlaceKey(link: link, command: number)] = (command, state)
        case (.executing(let execution), .exec(let exec)):
            let key = Key(life: life, execution: execution)
            try hold(.commands, self.runs[key]?.caller == nil) { "execution \(execution.number) was given out twice" }
            self.runs[key, default: Run()].caller = link
            self.runs[key]?.command = exec.command
        case (_, _): break
        }
    }

    mutating func heard(_ execute: Execute, _ life: Int, _ link: Int, _ name: String) throws(Violation) {
        let place = PlaceKey(link: link, command: execute.command)
        let key = Key(life: life, execution: execute.execution)
        self.runs[key, default: Run()].host = place
        self.inputs[key] = execute.input
        guard let hosting = self.hostings[place] else { return }
        try hold(.commands, hosting.isConcurrent || hosting.running.isEmpty) {
            "\(name) was asked for execution \(execute.execution.number) of \(hosting.command) during another one"
        }
        self.hostings[place]?.running.insert(execute.execution)
    }

    /// A host has ended an execution.
    mutating func finished(_ execution: ExecutionID, by link: Int) {
        for place in self.hostings.keys where place.link == link { self.hostings[place]?.running.remove(execution) }
    }

    mutating func heard(_ event: ExecutionEvent, _ key: Key, _ link: Int, _ name: String) throws(Violation) {
        guard let run = self.runs[key], run.caller == link else {
            throw Violation(.commands, "\(name) heard of execution \(key.execution.number), which is not its own")
        }
        let what = "execution \(key.execution.number) of \(name)"
        try hold(.commands, !run.isOver) { "\(what) went on after its end" }
        switch event {
        case .next:
            try hold(.commands, run.said.indices.contains(run.heard) && run.said[run.heard] == event) {
                "\(what) brought \(event), its host said \(run.said)"
            }
            self.runs[key]?.heard += 1
        case .ended(let end):
            try hold(.commands, self.isRight(end, of: run)) { "\(what) ended as \(end), its host said \(run.said)" }
            self.runs[key]?.isOver = true
            // The caller has abandoned it, so the daemon drops the host's messages about it.
            let abandons = [ErrorCode.slowConsumer.rawValue, ErrorCode.forbidden.rawValue]
            guard case .failed(let error) = end, abandons.contains(error.code) else { return }
            self.owedFailures = self.owedFailures.filter { $0.value != key }
        }
    }

    /// An observer is notified of a failure: the host has reported it or is gone.
    ///
    /// Each failure is reported once.
    mutating func heard(
        _ error: WireError,
        of key: Key,
        _ command: CommandID,
        _ link: Int,
        _ name: String
    ) throws(Violation) {
        let place = PlaceKey(link: link, command: command)
        let run = self.runs[key]
        let isLost =
            error.code == ErrorCode.hostLost.rawValue && run?.host.map { self.lostHosts.contains($0) } ?? true
        try hold(.commands, isLost || run?.said.last == .ended(.failed(error))) {
            "\(name) heard that execution \(key.execution.number) failed with \(error.code), "
                + "its host said \(run?.said ?? [])"
        }
        try hold(.commands, self.toldFailures.insert(Told(place: place, run: key)).inserted) {
            "\(name) heard twice that execution \(key.execution.number) failed"
        }
        guard let owed = self.owedFailures[place] else { return }
        if owed == key || isLost && self.isNewer(key, than: owed) { self.owedFailures[place] = nil }
    }

    /// Whether the loss of an execution's host is newer than a failure that a host has reported.
    ///
    /// A host goes after its last message. An execution with a greater number has the same host or a later one.
    private func isNewer(_ lost: Key, than owed: Key) -> Bool {
        let hasSameHost = self.runs[lost]?.host.map { $0 == self.runs[owed]?.host } ?? false
        return lost.life == owed.life && (hasSameHost || lost.execution.number > owed.execution.number)
    }

    private func isRight(_ end: ChannelEnd, of run: Run) -> Bool {
        if case .failed(let error) = end, error.code == ErrorCode.slowConsumer.rawValue { return true }
        if case .failed(let error) = end, error.code == ErrorCode.forbidden.rawValue { return self.mayBeForbidden(run) }
        if case .failed(let error) = end, error.code == ErrorCode.hostLost.rawValue {
            // A host that goes before it was asked never knows the execution.
            return run.host.map { self.lostHosts.contains($0) } ?? true
        }
        let isWhole = run.isCancelled || run.heard == run.said.count - 1
        return isWhole && run.said.last == .ended(end)
    }

    /// Whether a change of the rules has taken the execution from its caller.
    private func mayBeForbidden(_ run: Run) -> Bool {
        guard let caller = run.caller, let command = run.command else { return false }
        return self.judgements[caller]?.contains { !$0.allows(.exec, command.name) } ?? false
    }

    mutating func heard(_ state: CommandState, of command: CommandID, _ link: Int) {
        self.observed[PlaceKey(link: link, command: command)]?.state = state
    }

    /// On the open connections every execution has ended, and observers know the states of commands.
    func checkRest(of links: [Int], _ name: (Int) -> String) throws(Violation) {
        let open = self.runs.filter { !$0.value.isOver && links.contains($0.value.caller ?? 0) }
        if let key = open.keys.min(by: { $0.execution.number < $1.execution.number }) {
            throw Violation(.commands, "execution \(key.execution.number) never ended for its caller")
        }
        let owed = self.owedFailures.filter { links.contains($0.key.link) }
        if let first = owed.min(by: {
            ($0.key.link, $0.value.execution.number) < ($1.key.link, $1.value.execution.number)
        }) {
            let number = first.value.execution.number
            throw Violation(.commands, "\(name(first.key.link)) never heard that execution \(number) failed")
        }
        let enabled = Set(
            self.hostings.filter { $0.value.isEnabled && links.contains($0.key.link) }.map(\.value.command)
        )
        let order = self.observed.keys.filter { links.contains($0.link) }.sorted {
            ($0.link, $0.command.number) < ($1.link, $1.command.number)
        }
        for place in order {
            guard let (command, state) = self.observed[place] else { continue }
            let wanted = CommandState(isEnabled: enabled.contains(command), isExecuting: false)
            try hold(.commands, state == wanted) {
                "\(name(place.link)) observed \(command) come to \(state), not \(wanted)"
            }
        }
    }
}
