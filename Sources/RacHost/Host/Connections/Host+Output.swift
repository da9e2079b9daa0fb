package import RacAccess
package import RacProtocol

extension Host {
    /// The connections that may have output.
    package func takeListed() -> [HostedConnection] {
        self.tick.takeListed()
    }

    /// The pending output of a connection, in order; `wrote` follows when they are written.
    ///
    /// A connection with more than fits now is listed again. While the socket takes no more, there is no output: the
    /// bytes stay where they count against the limits. A connection that ends gets all of it.
    package func takeOutput(of connection: HostedConnection) -> Outgoing {
        guard connection.isWritable || connection.phase != .live else { return Outgoing() }
        connection.unwrittenBytes += connection.outgoing.count
        let output = connection.outgoing.take()
        if connection.hasRoom, !connection.lagging.isEmpty { self.tick.list(connection) }
        return output
    }

    /// The connections that the host ends after their output is written.
    package func takeEvicted() -> [(id: ConnectionID, code: String?)] {
        self.tick.takeEvicted()
    }

    /// The limits that connections reached in this tick, for the log; at most 16 of them.
    package func takeReachedLimits() -> [(ConnectionID, WireError)] {
        self.tick.takeReachedLimits()
    }

    /// The refusals for want of permission in this tick, for the log.
    package func takeRefusedActs() -> [RefusedActs] {
        self.tick.takeRefusedActs()
    }

    /// The lost clients of which wills were applied in this tick, for the log.
    package func takeAppliedWills() -> [(ConnectionID, AppliedWills)] {
        self.tick.takeAppliedWills()
    }

    /// The connections that are read at other rates from this tick on.
    package func takeRates() -> [(ConnectionID, ReadRate)] {
        self.tick.takeRates()
    }

    func say(_ message: ServerMessage, to connection: HostedConnection) {
        guard connection.phase != .gone, !connection.isTurnedAway else { return }
        if case .refused(_, let refusal) = message { self.noteLimit(refusal.error, of: connection) }
        connection.outgoing.append(message)
        self.tick.list(connection)
    }

    /// Keeps a refusal for the log, if its reason is a limit of the daemon.
    func noteLimit(_ error: WireError, of connection: HostedConnection) {
        let code = ErrorCode(rawValue: error.code)
        guard code == .limit || code == .slowConsumer else { return }
        self.tick.reachedLimit(connection, error)
    }

    /// Ends a connection, and sends its client the reason.
    func evict(_ connection: HostedConnection, because error: WireError) {
        guard connection.phase == .live else { return }
        self.say(.refused(nil, Refusal(error)), to: connection)
        if let code = ErrorCode(rawValue: error.code), code == .unauthenticated || code == .forbidden {
            self.tick.refused(RefusedAct(code, connection.rights?.principal, .hello), connection)
        }
        connection.phase = .evicted
        // Nobody waits for a host that is not heard any more.
        self.releaseCommands(of: connection)
        self.unhosting.append(connection)
        self.end(connection, error.code)
    }

    /// Lets the shell end a connection with this tick; the host ignores its further messages.
    ///
    /// - Parameters:
    ///   - connection: The connection.
    ///   - code: The code of the error; nil if the client wanted the end.
    func end(_ connection: HostedConnection, _ code: String? = nil) {
        self.tick.evict(connection, code)
    }
}
