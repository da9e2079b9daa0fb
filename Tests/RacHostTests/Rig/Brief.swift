import RacAccess
import RacHost
import RacProtocol

extension JSONText {
    /// The text as JSON, or else the JSON string of these characters.
    static func text(_ text: String) -> JSONText {
        (try? JSONText(text)) ?? .string(text)
    }
}

extension ServerMessage {
    /// The message in a few words: `t3 next 42@5 from 4`, `1 rev 5`, `t3 nak 2 conflict@5=42`.
    var brief: String {
        switch self {
        case .welcome: "welcome"
        case .reply(let id, let reply): "\(id.number) \(reply.brief)"
        case .refused(let id?, let refusal): "\(id.number) refused \(refusal.brief)"
        case .refused(nil, let refusal): "refused \(refusal.brief)"
        case .next(let terminal, let valuation): "t\(terminal) next \(valuation.brief)"
        case .deleted(let terminal, let revision): "t\(terminal) deleted@\(revision)"
        case .ended(let terminal, let end, let revision): "t\(terminal) \(end.brief)\(revision.map { "@\($0)" } ?? "")"
        case .ack(let terminal, let number, let revision): "t\(terminal) ack \(number.number)@\(revision)"
        case .unchanged(let terminal, let number, let standing):
            "t\(terminal) unchanged \(number.number) \(standing.brief)"
        case .nak(let terminal, let number, let refusal): "t\(terminal) nak \(number.number) \(refusal.brief)"
        case .changed(let changed): changed.brief
        case .synced(let watch): "w\(watch.number) synced"
        case .execute(let execute):
            "execute c\(execute.command.number) x\(execute.execution.number)\(execute.input.map { " \($0)" } ?? "")"
        case .progress(let execution, .next(let value)): "x\(execution.number) next \(value)"
        case .progress(let execution, .ended(let end)): "x\(execution.number) \(end.brief)"
        case .cancel(let execution): "cancel x\(execution.number)"
        case .state(let command, let state): "c\(command.number) \(state.brief)"
        case .failed(let command, let execution, let error):
            "c\(command.number) x\(execution.number) error \(error.code)"
        case .unhosted(let command, let error): "c\(command.number) unhosted \(error.code)"
        case .ping: "ping"
        case .pong: "pong"
        }
    }
}

extension Valuation {
    fileprivate var brief: String { "\(self.value)@\(self.revision)\(Self.from(self.cause))" }

    fileprivate static func from(_ cause: Revision?) -> String { cause.map { " from \($0)" } ?? "" }
}

extension ChannelEnd {
    fileprivate var brief: String {
        switch self {
        case .completed: "completed"
        case .failed(let error): "error \(error.code)"
        }
    }
}

extension Refusal {
    fileprivate var brief: String {
        "\(self.error.code)\(self.revision.map { "@\($0)" } ?? "")\(self.value.map { "=\($0)" } ?? "")"
            + (self.index.map { " index \($0)" } ?? "")
    }
}

extension Changed {
    fileprivate var brief: String {
        "w\(self.watch.number) \(self.channel)@\(self.revision) \((self.state?.word ?? .deleted).rawValue)"
            + (self.value.map { " \($0)" } ?? "")
            + (self.wish.map { " wish \($0)@\(self.wishRevision ?? .never)" } ?? "")
    }
}

extension CommandState {
    var brief: String { (self.isEnabled ? "enabled" : "disabled") + (self.isExecuting ? " executing" : " idle") }
}

extension RefusedActs {
    /// The act in a few words: `user write a`, and `*3` behind it if there were three.
    var brief: String {
        let act =
            switch self.act.act {
            case .hello: "hello"
            case .use(let verb, let name): "\(verb.rawValue) \(name?.text ?? "-")"
            }
        let many = (self.count > 1 ? " *\(self.count)" : "") + (self.others > 0 ? " and \(self.others)" : "")
        return "\(self.act.code.rawValue) \(self.act.principal?.text ?? "-") \(act)\(many)"
    }
}

extension ListedCommands.Entry {
    fileprivate var brief: String {
        let host = self.host.map { "\($0.connection)\($0.agent.map { "=\($0)" } ?? "")" } ?? "nobody"
        let state = self.state.brief.replacing(" ", with: "/")
        return "\(self.command):\(host)/\(state)\(self.isConcurrent ? "/concurrent" : "")"
            + "/seen \(self.observers)/runs \(self.executions)"
    }
}

extension Who.Entry {
    fileprivate var brief: String {
        let delivery =
            switch self.delivery {
            case .newest: "newest"
            case .every: "every"
            case .paced(let interval): "\(interval)ms"
            }
        return "\(self.client.connection)\(self.client.agent.map { "=\($0)" } ?? "")/\(self.role.rawValue)/\(delivery)"
            + (self.isSlow ? "/slow" : "")
    }
}

extension ListedConnections.Entry {
    fileprivate var brief: String {
        let words = [self.client.agent, self.client.name, self.client.peer?.description.replacing(" ", with: "-")]
        let known = words.compactMap { $0.map { "/\($0)" } }.joined()
        return "\(self.client.connection)\(known)/bound \(self.bound)"
    }
}

extension Reply {
    fileprivate var brief: String {
        switch self {
        case .done: "done"
        case .bound(let bound):
            "bound t\(bound.terminal)\(bound.was.map { " was t\($0)" } ?? "")@\(bound.revision)"
                + " \(bound.state.rawValue) \(bound.mode.rawValue)"
                + " n\(bound.lastApplied.number)\(bound.value.map { " \($0)" } ?? "")\(Valuation.from(bound.cause))"
        case .got(let got):
            "got@\(got.revision) \(got.state.word.rawValue) \(got.mode.rawValue)\(got.value.map { " \($0)" } ?? "")"
                + Valuation.from(got.cause)
                + (got.wish.map { " wish \($0)@\(got.wishRevision ?? .never)" } ?? "")
        case .revision(let revision): "rev \(revision)"
        case .revisions(let revisions): "revs \(revisions.map(\.description).joined(separator: " "))"
        case .listed(let listed):
            "listed \(listed.channels.map { "\($0.channel)@\($0.revision)" }.joined(separator: " "))"
                + (listed.more ? " more" : "")
        case .commands(let listed):
            (["commands"] + listed.commands.map(\.brief) + (listed.more ? ["more"] : [])).joined(separator: " ")
        case .who(let who): (["who"] + who.entries.map(\.brief) + (who.more ? ["more"] : [])).joined(separator: " ")
        case .connections(let listed):
            (["connections"] + listed.entries.map(\.brief) + (listed.more ? ["more"] : [])).joined(separator: " ")
        case .watching(let watch): "watching w\(watch.number)"
        case .hosting(let command): "hosting c\(command.number)"
        case .executing(let execution): "executing x\(execution.number)"
        case .observing(let command, let state): "observing c\(command.number) \(state.brief)"
        }
    }
}
