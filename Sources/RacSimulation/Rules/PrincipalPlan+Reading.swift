import RacAccess
import RacProtocol

/// The plainest reading of protocol.md, "Access": written a second time, so that it checks the daemon's code.
extension PrincipalPlan {
    func allows(_ verb: Verb, _ name: String) -> Bool {
        let segments = name.split(separator: "/")[...]
        guard !self.denied.contains(where: { self.matches($0, segments) }) else { return false }
        return self.grants.contains { $0.verb == verb && self.matches($0.pattern, segments) }
    }

    /// Whether the principal may make a request.
    func allows(_ request: Request) -> Bool {
        Self.needs(of: request).allSatisfy { self.allows($0.verb, $0.name) }
    }

    private func matches(_ pattern: String, _ name: ArraySlice<Substring>) -> Bool {
        self.matches(pattern.split(separator: "/")[...], name)
    }

    private func matches(_ pattern: ArraySlice<Substring>, _ name: ArraySlice<Substring>) -> Bool {
        guard let first = pattern.first else { return name.isEmpty }
        let rest = pattern.dropFirst()
        if first == "**" { return (0...name.count).contains { self.matches(rest, name.dropFirst($0)) } }
        guard let segment = name.first else { return false }
        let isSame = first == "*" || segment == (first == "{user}" ? self.name[...] : first)
        return isSame && self.matches(rest, name.dropFirst())
    }

    private static func needs(of request: Request) -> [(verb: Verb, name: String)] {
        switch request {
        case .bind(let bind): self.needs(of: bind)
        case .get(let channel): [(.read, channel.text)]
        case .set(let set):
            [(set.role.verbOfValues, set.channel.text)]
                + (set.condition == nil ? [] : [(set.role.verbOfBindings, set.channel.text)])
        case .put(let put):
            put.entries.flatMap { entry in
                (entry.value == nil ? [] : [(.write, entry.channel.text)])
                    + (entry.value != nil && entry.condition == nil ? [] : [(.read, entry.channel.text)])
            }
        case .create(let create): [(.manage, create.channel.text)]
        case .finish(let finish): [(.manage, finish.channel.text)]
        case .reopen(let order), .delete(let order): [(.manage, order.channel.text)]
        case .exec(let exec): [(.exec, exec.command.name.text)]
        case .observe(let command): [(.observe, command.name.text)]
        case .host(let host): [(.host, host.command.name.text)]
        case .forget(let command): [(.host, command.name.text)]
        default: []
        }
    }

    private static func needs(of bind: Bind) -> [(verb: Verb, name: String)] {
        var verbs = [bind.role.verbOfBindings]
        if bind.defaultValue != nil { verbs.append(bind.role.verbOfValues) }
        if let will = bind.will { verbs.append(will.verb(from: bind.role)) }
        return verbs.map { ($0, bind.channel.text) }
    }
}

extension Role {
    /// The verb that a value of this side needs.
    var verbOfValues: Verb { self == .leading ? .lead : .write }

    /// The verb that a binding of this side needs.
    var verbOfBindings: Verb { self == .leading ? .lead : .read }
}

extension Will {
    /// The verb that the will of a terminal of this side needs.
    func verb(from role: Role) -> Verb {
        switch self {
        case .value: role.verbOfValues
        case .end: .manage
        }
    }
}

extension Send.Event {
    /// The verb that a send of this side needs.
    func verb(from role: Role) -> Verb {
        switch self {
        case .next: role.verbOfValues
        case .end: .manage
        }
    }
}
