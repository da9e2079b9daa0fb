import RacAccess
import RacProtocol

/// The verbs that each request needs: protocol.md has the table, under "Access".
extension Rights {
    /// The reason why the principal may not make a request; nil if it may.
    func objection(to request: Request) -> Objection? {
        switch request {
        // The client has the things that these end, and a list or a watch leaves out the names that it may not read.
        case .ping, .unbind, .unwatch, .unhost, .unobserve, .list, .commands, .watch: nil
        case .bind(let bind): self.objection(to: bind)
        case .get(let channel): self.objection(.read, channel)
        case .set(let set): self.objection(to: set)
        case .put(let put): self.objection(to: put)
        case .create(let create): self.objection(.manage, create.channel) ?? self.objection(to: create.value)
        case .finish(let finish): self.objection(.manage, finish.channel)
        case .reopen(let order), .delete(let order): self.objection(.manage, order.channel)
        case .who(let ask): self.objection(to: ask)
        case .exec(let exec): self.objection(.exec, exec.command.name) ?? self.objection(to: exec.input)
        case .observe(let command): self.objection(.observe, command.name)
        case .host(let host): self.objection(.host, host.command.name)
        case .forget(let command): self.objection(.host, command.name)
        }
    }

    /// A condition reveals the revision to its writer by and by, so it needs the right to see what it compares with.
    private func objection(to set: SetValue) -> Objection? {
        if let objection = self.objection(set.role.sendVerb, set.channel) { return objection }
        if set.condition != nil, let objection = self.objection(set.role.bindVerb, set.channel) { return objection }
        return self.objection(to: set.value)
    }

    private func objection(to entry: Put.Entry) -> Objection? {
        if entry.value != nil, let objection = self.objection(.write, entry.channel) { return objection }
        let compares = entry.condition != nil || entry.value == nil
        if compares, let objection = self.objection(.read, entry.channel) { return objection }
        return self.objection(to: entry.value)
    }

    /// The objection to the first entry that the principal may not make; nil if it may make all.
    private func objection(to put: Put) -> Objection? {
        for (index, entry) in put.entries.enumerated() {
            guard var objection = self.objection(to: entry) else { continue }
            objection.index = UInt64(index)
            return objection
        }
        return nil
    }

    private func objection(to bind: Bind) -> Objection? {
        if let objection = self.objection(bind.role.bindVerb, bind.channel) { return objection }
        if let value = bind.defaultValue,
            let objection = self.objection(bind.role.sendVerb, bind.channel) ?? self.objection(to: value)
        {
            return objection
        }
        guard let will = bind.will else { return nil }
        return self.objection(will.verb(of: bind.role), bind.channel) ?? self.objection(to: will.value)
    }

    private func objection(to ask: AskWho) -> Objection? {
        guard let channel = ask.channel else {
            let what = "\(self.principal) may not list the connections: that takes the verb admin"
            return self.isAdministrator ? nil : Objection(self, lacks: .admin, for: nil, what)
        }
        return self.objection(.read, channel)
    }

    /// The objection to a verb that the principal does not have for a name; nil if it has.
    func objection(_ verb: Verb, _ name: ChannelName) -> Objection? {
        guard !self.allows(verb, name) else { return nil }
        return Objection(self, lacks: verb, for: name, "\(self.principal) may not \(verb.phrase) \(name)")
    }

    /// The objection to a value that is too long; nil if it is not.
    func objection(to value: JSONText?) -> Objection? {
        guard let value, let most = self.bounds.valueBytes, value.byteCount > most else { return nil }
        return Objection(bound: self.reached(.valueBytes, "may not send a value of \(value.byteCount) bytes"))
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
    /// The value that it leaves; nil for an end.
    fileprivate var value: JSONText? {
        if case .value(let value) = self { value } else { nil }
    }

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
