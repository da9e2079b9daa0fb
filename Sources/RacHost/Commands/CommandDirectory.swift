import RacProtocol

/// All commands, by name and in the order of their names.
///
/// Guarded by the host's isolation. It is a class because lists under way read it.
final class CommandDirectory {
    private var byName = NameTable<NamedCommand>()
    private var names = SortedNames([])

    /// The number of commands, including those that are only observed.
    var count: Int { self.byName.count }

    subscript(_ name: CommandName) -> NamedCommand? { self.byName[name.name] }

    func add(_ command: NamedCommand) {
        self.byName.put(command, at: command.name.name)
        self.names.insert(command.name.name)
    }

    func remove(_ command: NamedCommand) {
        self.byName.remove(command.name.name)
        self.names.remove(command.name.name)
    }

    /// Calls the closure with each name that the pattern may match, in order, until it returns false.
    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool) {
        self.names.forEach(in: pattern, after: last, visit)
    }
}
