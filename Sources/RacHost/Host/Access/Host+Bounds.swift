import RacAccess
import RacProtocol

/// The bounds of roles on what a client may have.
///
/// Semantics: protocol.md, "Bounds of roles".
extension Host {
    /// The error for a client whose principal has as many connections as it may; nil if it may have another one.
    func objection(toConnecting rights: Rights, replacing ending: ConnectionID?) -> WireError? {
        let count = self.belongings.connectionCount(of: rights.principal, without: ending)
        guard let most = rights.bounds.connections, count >= most else { return nil }
        return rights.reached(.connections, "may have no more connections")
    }

    /// The error for a client whose principal may not make so many channels more; nil if it may.
    func objection(toMaking count: Int) -> WireError? {
        guard let rights = self.actor, let most = rights.bounds.channels,
            self.belongings.channelCount(of: rights.principal) + count > most
        else { return nil }
        return rights.reached(.channels, "may make no more channels")
    }

    /// The error for a client that may not give a channel its first change; nil if it may.
    func objection(toChanging channel: HostedChannel) -> WireError? {
        guard self.actor != nil, !channel.machine.isKnown else { return nil }
        return self.objection(toMaking: 1)
    }

    /// Notes the maker of a channel that has had its first change.
    func noteMaker(of channel: HostedChannel) {
        guard let rights = self.actor, channel.machine.isKnown else { return }
        self.belongings.made(channel.number, by: rights.principal)
    }

    /// The error for a client that may not bind, watch or observe anything more; nil if it may.
    func objection(toSubscribing connection: HostedConnection) -> WireError? {
        let count = self.subscriptionCount(of: connection)
        if let rights = connection.rights, let most = rights.bounds.bindings, count >= most {
            let what = "may have no more bindings, watches and observed commands on this connection"
            return rights.reached(.bindings, what)
        }
        guard count >= self.limits.subscriptionsPerConnection else { return nil }
        let what =
            "a connection may have \(self.limits.subscriptionsPerConnection) bindings, watches and observed commands"
        return WireError(.limit, what)
    }
}

extension Rights {
    /// The error for a bound that is reached, with its key and number.
    func reached(_ bound: RoleBound, _ what: String) -> WireError {
        let number = self.bounds[bound].map { "\($0)" } ?? "none"
        return WireError(.limit, "\(self.principal) \(what): its roles have \(bound.rawValue) = \(number)")
    }
}
