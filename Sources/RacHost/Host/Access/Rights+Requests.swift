import RacAccess
import RacProtocol

/// The verbs that each request needs: protocol.md has the table, under "Access".
extension Rights {
    /// The error for a request that the principal may not make; nil if it may.
    func objection(to request: Request) -> WireError? {
        switch request {
        // The client has the things that these end, and a list or a watch leaves out the names that it may not read.
        case .ping, .unbind, .unwatch, .unhost, .unobserve, .list, .commands, .watch: nil
        case .bind(let bind): self.objection(to: bind)
        case .get(let channel): self.objection(.read, channel)
        case .set(let set): self.objection(set.role.sendVerb, set.channel)
        case .put(let put): self.objection(to: put)?.error
        case .create(let create): self.objection(.manage, create.channel)
        case .finish(let finish): self.objection(.manage, finish.channel)
        case .reopen(let order), .delete(let order): self.objection(.manage, order.channel)
        case .who(let ask): self.objection(to: ask)
        case .exec(let exec): self.objection(.exec, exec.command.name)
        case .observe(let command): self.objection(.observe, command.name)
        case .host(let host): self.objection(.host, host.command.name)
        case .forget(let command): self.objection(.host, command.name)
        }
    }

    /// The refusal of a put, which names the first entry that the principal may not make; nil if it may make all.
    func objection(to put: Put) -> Refusal? {
        for (index, entry) in put.entries.enumerated() {
            guard let error = self.objection(entry.value == nil ? .read : .write, entry.channel) else { continue }
            var refusal = Refusal(error)
            refusal.index = UInt64(index)
            return refusal
        }
        return nil
    }

    private func objection(to bind: Bind) -> WireError? {
        if let error = self.objection(bind.role.bindVerb, bind.channel) { return error }
        if bind.defaultValue != nil, let error = self.objection(bind.role.sendVerb, bind.channel) { return error }
        return bind.will.flatMap { self.objection($0.verb(of: bind.role), bind.channel) }
    }

    private func objection(to ask: AskWho) -> WireError? {
        guard let channel = ask.channel else {
            let what = "\(self.principal) may not list the connections: that takes the verb admin"
            return self.isAdministrator ? nil : WireError(.forbidden, what)
        }
        return self.objection(.read, channel)
    }

    /// The error for a verb that the principal does not have for a name; nil if it has.
    func objection(_ verb: Verb, _ name: ChannelName) -> WireError? {
        guard !self.allows(verb, name) else { return nil }
        return WireError(.forbidden, "\(self.principal) may not \(verb.phrase) \(name)")
    }
}

extension Role {
    /// The verb that a value of this side needs.
    var sendVerb: Verb {
        switch self {
        case .leading: .lead
        case .following: .write
        }
    }

    /// The verb that a binding of this side needs.
    var bindVerb: Verb {
        switch self {
        case .leading: .lead
        case .following: .read
        }
    }
}

extension Will {
    /// The verb that the will of a binding of this side needs.
    func verb(of role: Role) -> Verb {
        switch self {
        case .value: role.sendVerb
        case .end: .manage
        }
    }
}

extension Verb {
    fileprivate var phrase: String {
        switch self {
        case .exec: "execute"
        case .admin: "administer"
        case .read, .write, .lead, .manage, .observe, .host: self.rawValue
        }
    }
}
