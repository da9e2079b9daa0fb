import RacProtocol

/// The rights of clients: each write, and each hosting or observing of a command, asks here first.
///
/// Semantics: protocol.md, "Names".
extension Host {
    /// Whether a client may change a channel; each value asks.
    @inline(__always)
    func mayWrite(_ channel: HostedChannel, _ connection: HostedConnection) -> Bool { !channel.isSystem }

    /// Whether a client may change a channel that need not exist.
    func mayWrite(_ name: ChannelName, _ connection: HostedConnection) -> Bool { !name.isReserved }

    /// Whether a client may host or observe a command.
    func mayUse(_ name: CommandName, _ connection: HostedConnection) -> Bool { !name.isReserved }
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
