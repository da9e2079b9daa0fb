import RacClient
import RacProtocol

/// What the plan has a program do.
extension SimulatedClient {
    func send(_ step: Int, _ terminal: Int, sync: Bool, conditional: Bool) {
        guard self.terminals.indices.contains(terminal) else { return }
        let condition = conditional ? self.terminals[terminal].standing?.revision ?? Revision.none : nil
        let event = Send.Event.next(Self.value(step), condition: condition, cause: nil)
        self.write(SimulatedTerminal.Write(event: event, sync: sync), terminal)
    }

    func end(_ terminal: Int, fails: Bool) {
        let error = WireError(code: "enough", message: "C\(self.number + 1) has had enough")
        self.write(SimulatedTerminal.Write(event: .end(fails ? .failed(error) : .completed), sync: false), terminal)
    }

    private func write(_ write: SimulatedTerminal.Write, _ terminal: Int) {
        // After a bye nothing is said any more.
        guard self.terminals.indices.contains(terminal), self.isReady || self.link == nil else { return }
        for send in self.terminals[terminal].write(write) { self.say(.send(send)) }
    }

    /// Binds again what it has left, or what has ended.
    func bind(_ terminal: Int) {
        guard self.terminals.indices.contains(terminal) else { return }
        self.terminals[terminal].wantsBind()
        self.bindIfWanted(terminal)
    }

    func unbind(_ terminal: Int) {
        guard self.terminals.indices.contains(terminal), self.terminals[terminal].isSettled, self.isReady,
            let number = self.terminals[terminal].terminal
        else { return }
        self.ask(.unbind(number))
        self.terminals[terminal].leaves()
    }

    func set(_ step: Int, _ channel: ChannelName, _ role: Role, sync: Bool, conditional: Bool) {
        var set = SetValue(channel: channel, value: Self.value(step))
        set.role = role
        set.sync = sync
        set.condition = conditional ? self.known(channel) : nil
        self.ask(.set(set))
    }

    func put(_ step: Int, _ channels: [ChannelName], sync: Bool, conditional: Bool) {
        guard !channels.isEmpty else { return }
        let entries = channels.map { name in
            Put.Entry(channel: name, value: Self.value(step), condition: conditional ? self.known(name) : nil)
        }
        var put = Put(entries: entries)
        put.sync = sync
        self.ask(.put(put))
    }

    func create(_ step: Int, _ channel: ChannelName, _ mode: ChannelMode, sync: Bool) {
        var create = Create(channel: channel)
        create.mode = mode
        create.value = step.isMultiple(of: 2) ? Self.value(step) : nil
        create.sync = sync
        self.ask(.create(create))
    }

    private func known(_ channel: ChannelName) -> Revision {
        self.terminals.first { $0.channel == channel }?.standing?.revision ?? .none
    }

    /// Values are named by their steps, so that each is there once.
    private static func value(_ step: Int) -> JSONText { .string("v\(step)") }
}
