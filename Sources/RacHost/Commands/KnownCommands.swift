import RacAccess
import RacProtocol

/// The commands that were ever hosted, for `commands`: a client gets those that it may observe or execute.
struct KnownCommands: ListedNames {
    let directory: CommandDirectory

    func forEach(in pattern: ChannelPattern, after last: ChannelName?, _ visit: (ChannelName) -> Bool) {
        self.directory.forEach(in: pattern, after: last, visit)
    }

    func entry(_ name: ChannelName) -> ListedCommands.Entry? {
        guard let command = self.directory[CommandName(name)], command.machine.isKnown else { return nil }
        return ListedCommands.Entry(command)
    }

    func name(of entry: ListedCommands.Entry) -> ChannelName { entry.command.name }

    func shows(_ name: ChannelName, to rights: Rights?) -> Bool {
        rights.map { $0.allows(.observe, name) || $0.allows(.exec, name) } ?? true
    }

    func unitsOfVerdict(by rights: Rights?) -> Int { 2 * Work.verdict(rights) }

    func units(of entry: ListedCommands.Entry) -> Int {
        Work.listed + (entry.host.map(Work.writing) ?? 0) / 4
    }

    func bytes(of entry: ListedCommands.Entry) -> Int {
        let client = (entry.host?.name?.utf8.count ?? 0) + (entry.host?.agent?.utf8.count ?? 0)
        return MemoryLayout<ListedCommands.Entry>.stride + entry.command.name.text.utf8.count + client
    }

    func reply(_ entries: [ListedCommands.Entry], more: Bool) -> Reply {
        .commands(ListedCommands(commands: entries, more: more))
    }
}

extension ListedCommands.Entry {
    fileprivate init(_ command: NamedCommand) {
        self.init(
            command: command.name,
            state: command.machine.shown,
            isConcurrent: command.machine.isConcurrent,
            observers: UInt64(command.observers.count),
            executions: UInt64(command.executions.count),
            host: command.host?.connection.client
        )
    }
}
