import RacProtocol

/// The things of a connection that the host has yet to release: some in each turn, and the wills last.
///
/// A live connection's are the commands that it hosts no more.
///
/// Each list is in the opposite order, so that its next element is cheap to take.
struct Departure {
    private var hosted: [Hosted] = []
    private var calls: [HostedExecution] = []
    private var observed: [CommandObserver] = []
    private var bindings: [Binding] = []
    private var willing: [Binding] = []

    /// Whether the connection has ended, so that its bindings go, too.
    private(set) var hasEnded = false

    /// The wills that were applied.
    var appliedWills = 0

    /// Whether a will has yet to apply.
    var appliesWills: Bool { !self.willing.isEmpty }

    var isEmpty: Bool {
        self.hosted.isEmpty && self.calls.isEmpty && self.observed.isEmpty && self.bindings.isEmpty
            && self.willing.isEmpty
    }

    /// A command that loses its host, and the request that asked for it.
    struct Hosted {
        let command: NamedCommand
        let request: RequestID?
    }

    /// One thing to release.
    enum Part {
        case hosted(Hosted)
        case call(HostedExecution)
        case observed(CommandObserver)
        case binding(Binding)
        case will(Binding)
    }

    /// Adds the commands of a connection: the hosted ones come first, in their order, then its calls.
    mutating func add(_ user: CommandUser?) {
        guard let user else { return }
        self.hosted.insert(
            contentsOf: user.hosted.values.sorted { $0.id.number > $1.id.number }.map {
                Hosted(command: $0, request: nil)
            },
            at: 0
        )
        self.calls = user.calls.values.sorted { $0.id.number > $1.id.number }
        self.observed = user.observed.values.sorted { $0.command.id.number > $1.command.id.number }
        user.observed.removeAll()
    }

    /// Adds a command that the client hosts no more; behind those before it.
    mutating func add(_ command: NamedCommand, answering request: RequestID?) {
        self.hosted.insert(Hosted(command: command, request: request), at: 0)
    }

    /// Puts back a command whose executions have not all failed.
    mutating func goesOn(_ hosted: Hosted) {
        self.hosted.append(hosted)
    }

    /// Adds the bindings of a connection, and those whose wills apply, in their order.
    mutating func add(bindings: [Binding], willing: [Binding]) {
        self.hasEnded = true
        self.bindings = bindings
        self.willing = willing.reversed()
    }

    /// The next thing to release; nil if nothing is left.
    mutating func next() -> Part? {
        if let command = self.hosted.popLast() { return .hosted(command) }
        if let execution = self.calls.popLast() { return .call(execution) }
        if let observer = self.observed.popLast() { return .observed(observer) }
        if let binding = self.bindings.popLast() { return .binding(binding) }
        return self.willing.popLast().map { .will($0) }
    }
}
