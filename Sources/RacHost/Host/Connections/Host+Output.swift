import RacProtocol

extension Host {
    /// The connections that may have output.
    package func takeListed() -> [HostedConnection] {
        self.tick.takeListed()
    }

    /// The pending bytes of a connection, in order; `wrote` follows when they are written.
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
    package func takeEvicted() -> [ConnectionID] {
        self.tick.takeEvicted()
    }

    func say(_ message: ServerMessage, to connection: HostedConnection) {
        guard connection.phase != .gone else { return }
        connection.outgoing.append(message)
        self.tick.list(connection)
    }

    /// Ends a connection, and sends its client the reason.
    func evict(_ connection: HostedConnection, because error: WireError) {
        guard connection.phase == .live else { return }
        self.say(.refused(nil, Refusal(error)), to: connection)
        connection.phase = .evicted
        self.end(connection)
    }

    /// Lets the shell end a connection with this tick; the host ignores its further messages.
    func end(_ connection: HostedConnection) {
        self.tick.evict(connection)
    }
}
