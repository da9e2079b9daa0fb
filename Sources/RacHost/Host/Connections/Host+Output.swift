import RacProtocol

extension Host {
    /// The connections that have something to write.
    package func takeListed() -> [HostedConnection] {
        self.tick.takeListed()
    }

    /// What a connection has to write, in order; `wrote` tells when that is done.
    ///
    /// If there is more than fits now, the connection is listed again.  While its socket takes no more there is nothing
    /// to write, so that what waits is counted where it stops requests; but a connection that ends gets it all.
    package func takeOutput(of connection: HostedConnection) -> Outgoing {
        guard connection.isWritable || connection.phase != .live else { return Outgoing() }
        connection.unwrittenBytes += connection.outgoing.count
        let output = connection.outgoing.take()
        if connection.hasRoom, !connection.lagging.isEmpty { self.tick.list(connection) }
        return output
    }

    /// The connections that the host wants ended once their output is written.
    package func takeEvicted() -> [ConnectionID] {
        self.tick.takeEvicted()
    }

    func say(_ message: ServerMessage, to connection: HostedConnection) {
        guard connection.phase != .gone else { return }
        connection.outgoing.append(message)
        self.tick.list(connection)
    }

    /// Ends a connection for a reason that it is told.
    func evict(_ connection: HostedConnection, because error: WireError) {
        guard connection.phase == .live else { return }
        self.say(.refused(nil, Refusal(error)), to: connection)
        connection.phase = .evicted
        self.end(connection)
    }

    /// Has the shell end a connection with this tick; what its client still says is passed over.
    func end(_ connection: HostedConnection) {
        self.tick.evict(connection)
    }
}
