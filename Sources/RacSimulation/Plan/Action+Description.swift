import RacAccess
import RacProtocol

extension Action {
    /// The action in a few words.
    func description(in plan: Plan) -> String {
        switch self {
        case .send(let client, let terminal, let sync, let conditional):
            let how = (sync ? ", to be on the disk" : "") + (conditional ? ", if nobody was first" : "")
            return "\(client.clientName) sends into \(Self.name(terminal, of: client, plan))\(how)"
        case .sendMany(let client, let terminal, let times):
            return "\(client.clientName) sends \(times) times into \(Self.name(terminal, of: client, plan))"
        case .end(let client, let terminal, let fails):
            return "\(client.clientName) \(fails ? "fails" : "completes") \(Self.name(terminal, of: client, plan))"
        case .bind(let client, let terminal):
            return "\(client.clientName) binds \(Self.name(terminal, of: client, plan)) again, if it is not bound"
        case .unbind(let client, let terminal):
            return "\(client.clientName) unbinds \(Self.name(terminal, of: client, plan))"
        case .list(let client): return "\(client.clientName) lists the channels"
        case .leave(let client): return "\(client.clientName) says bye, and comes back"
        case .set, .put, .get, .getMany, .create, .finish, .reopen, .delete: return self.requestDescription(in: plan)
        case .command(let use): return use.description(in: plan)
        default: return self.faultDescription
        }
    }

    private static func name(_ terminal: Int, of client: Int, _ plan: Plan) -> String {
        let terminal = plan.clients[client].terminals[terminal]
        return "\(plan.channels[terminal.channel].name), \(terminal.role.rawValue)"
    }

    private func requestDescription(in plan: Plan) -> String {
        func ask(_ client: Int, _ what: String, _ channel: Int, _ sync: Bool = false) -> String {
            "\(client.clientName) \(what) \(plan.channels[channel].name)\(sync ? ", to be on the disk" : "")"
        }
        switch self {
        case .set(let client, let channel, let role, let sync, let conditional):
            return ask(client, "sets", channel, sync)
                + ", \(role.rawValue)\(conditional ? ", if nobody was first" : "")"
        case .put(let client, let channels, let sync, let conditional):
            let names = channels.map { plan.channels[$0].name.text }.joined(separator: " ")
            return "\(client.clientName) puts \(names)\(sync ? ", to be on the disk" : "")"
                + (conditional ? ", if nobody was first" : "")
        case .get(let client, let channel): return ask(client, "gets", channel)
        case .getMany(let client, let channel, let times): return ask(client, "gets \(times) times", channel)
        case .create(let client, let channel, let mode, let sync):
            return ask(client, "creates \(mode.rawValue)", channel, sync)
        case .finish(let client, let channel, let sync): return ask(client, "finishes", channel, sync)
        case .reopen(let client, let channel, let sync): return ask(client, "reopens", channel, sync)
        case .delete(let client, let channel, let sync): return ask(client, "deletes", channel, sync)
        default: return ""
        }
    }

    private var faultDescription: String {
        switch self {
        case .cut(let client): "FAULT the connection of \(client.clientName) breaks"
        case .silence(let client): "FAULT nothing passes between \(client.clientName) and D any more"
        case .abandon(let client): "FAULT \(client.clientName) gives its connection up, D does not know"
        case .away(let client, let time):
            "FAULT \(client.clientName) loses its connection, and cannot reach D for \(time) µs"
        case .stall(let client, let time): "FAULT \(client.clientName) reads nothing for \(time) µs"
        case .slow(let client, let time): "FAULT all that \(client.clientName) says and hears takes \(time) µs more"
        case .crash(.kill, let time): "FAULT D is killed, and starts after \(time) µs"
        case .crash(.power, let time): "FAULT the power fails, and D starts after \(time) µs"
        case .restart(let time): "D is stopped, and starts after \(time) µs"
        case .fillDisk(let time): "FAULT the disk is full for \(time) µs"
        case .setClock(let time): "FAULT the wall clock is set by \(time) ms"
        case .rules(let rules): "D reloads its rules: \(rules.description)"
        default: ""
        }
    }
}

extension RulesPlan {
    /// The rights of each principal in a few words.
    var description: String {
        self.principals.map { principal in
            let grants = Dictionary(grouping: principal.grants, by: \.verb).sorted { $0.key.rawValue < $1.key.rawValue }
            let rights = grants.map { "\($0.key.rawValue) \($0.value.map(\.pattern).joined(separator: ","))" }
            let denied = principal.denied.isEmpty ? [] : ["deny \(principal.denied.joined(separator: ","))"]
            return "\(principal.name) may \((rights + denied).joined(separator: " "))"
        }.joined(separator: "; ")
    }
}

extension CommandUse {
    fileprivate func description(in plan: Plan) -> String {
        let name = plan.commands[self.command]
        return switch self.what {
        case .host(let isConcurrent): "\(self.client.clientName) hosts \(isConcurrent ? "concurrent " : "")\(name)"
        case .unhost: "\(self.client.clientName) hosts \(name) no more"
        case .allow(let isEnabled): "\(self.client.clientName) \(isEnabled ? "allows" : "forbids") \(name)"
        case .execute: "\(self.client.clientName) executes \(name)"
        case .cancel: "\(self.client.clientName) cancels what it executes"
        case .observe: "\(self.client.clientName) observes \(name)"
        }
    }
}
