import RacProtocol

/// The bindings of a connection that are over and have frames left to send, by their terminals and their channels' names.
struct DepartingBindings {
    private var byTerminal: [TerminalID: Binding] = [:]
    private var byName: [ChannelName: [Binding]] = [:]

    var all: some Sequence<Binding> { self.byTerminal.values }

    subscript(_ terminal: TerminalID) -> Binding? { self.byTerminal[terminal] }

    /// The bindings to channels of this name: mostly one, more after deletions.
    func bindings(to name: ChannelName) -> [Binding] { self.byName[name] ?? [] }

    mutating func add(_ binding: Binding) {
        if let earlier = self.byTerminal.updateValue(binding, forKey: binding.terminal) { self.forget(earlier) }
        self.byName[binding.channel.name, default: []].append(binding)
    }

    mutating func remove(_ binding: Binding) {
        guard self.byTerminal[binding.terminal] === binding else { return }
        self.byTerminal[binding.terminal] = nil
        self.forget(binding)
    }

    private mutating func forget(_ binding: Binding) {
        let name = binding.channel.name
        self.byName[name]?.removeAll { $0 === binding }
        if self.byName[name]?.isEmpty == true { self.byName[name] = nil }
    }
}
