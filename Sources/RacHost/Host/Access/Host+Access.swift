import RacAccess
import RacProtocol

/// The rights of clients: each request and each send asks here first.
///
/// Semantics: protocol.md, "Access" and "Names".
extension Host {
    /// Whether a client may change a channel that need not exist, as far as its name decides.
    func mayWrite(_ name: ChannelName, _ connection: HostedConnection) -> Bool { !name.isReserved }

    /// Whether a client may host, observe or execute a command, as far as its name decides.
    func mayUse(_ name: CommandName, _ connection: HostedConnection) -> Bool { !name.isReserved }

    /// Whether a client's values may go into a channel; each binding asks once, and again when the rules change.
    func maySend(to channel: HostedChannel, as role: Role, _ connection: HostedConnection) -> Bool {
        !channel.isSystem && connection.rights?.allows(role.sendVerb, channel.name) ?? true
    }

    /// The error for a send that a client may not make, which the log learns; nil if it may.
    func objection(to event: Send.Event, _ binding: Binding) -> WireError? {
        let (name, connection) = (binding.channel.name, binding.connection)
        let objection: Objection?
        switch event {
        case .next(let value, _, _) where binding.maySend: objection = connection.rights?.objection(to: value)
        case _ where binding.channel.isSystem: return self.notWritten(name)
        case .next: objection = connection.rights?.objection(binding.side.role.sendVerb, name)
        case .end: objection = connection.rights?.objection(.manage, name)
        }
        return objection.map { self.note($0, of: connection).error }
    }

    /// The refusal of a request that a client may not make, which the log learns.
    ///
    /// - Returns: The refusal; nil if the client may make it, or the daemon is open.
    func objection(to request: Request, _ connection: HostedConnection) -> Refusal? {
        connection.rights?.objection(to: request).map { self.note($0, of: connection).refusal }
    }

    /// The error for a value of an execution that its host may not send; nil if it may.
    func objection(to value: JSONText, _ connection: HostedConnection) -> WireError? {
        connection.rights?.objection(to: value).map { self.note($0, of: connection).error }
    }

    private func note(_ objection: Objection, of connection: HostedConnection) -> Objection {
        if let lack = objection.lack { self.tick.refused(lack, connection) }
        return objection
    }

    /// Whether a client may know what a terminal shows, though it need not be bound.
    func maySee(_ channel: HostedChannel, as role: Role, _ connection: HostedConnection) -> Bool {
        guard let rights = connection.rights else { return true }
        return rights.allows(.read, channel.name) || rights.allows(role.bindVerb, channel.name)
    }

    /// The revision for a write that changed nothing: that of the channel's change, for those who may read it.
    func readable(_ revision: Revision, of name: ChannelName, _ connection: HostedConnection) -> Revision {
        connection.rights?.allows(.read, name) ?? true ? revision : .never
    }

    /// A refusal without the facts that a client may not read.
    func readable(_ refusal: Refusal, of name: ChannelName, _ connection: HostedConnection) -> Refusal {
        guard let rights = connection.rights, !rights.allows(.read, name) else { return refusal }
        switch refusal.error.code {
        case ErrorCode.conflict.rawValue:
            return Refusal(WireError(.conflict, "the channel is at another revision"))
        case ErrorCode.terminated.rawValue:
            return Refusal(WireError(.terminated, "the channel has ended: reopen it first"))
        default: return refusal
        }
    }
}

extension Host {
    /// The error for a client that may not write.
    func notWritten(_ name: ChannelName) -> WireError {
        WireError(.forbidden, "\(name) belongs to racd: it can be read, not written")
    }

    /// The error for a client that may not use a command.
    var notUsed: WireError {
        WireError(.forbidden, "names that begin with $ are the daemon's own: it has no commands")
    }
}
