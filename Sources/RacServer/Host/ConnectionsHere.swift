import RacHost

/// The connections on the host's own loop, as the end of a tick reaches them.
protocol ConnectionsHere {
    /// Writes the frames that are due to a connection.
    func write(_ output: Outgoing, to id: ConnectionID)

    /// Carries out one order, behind all outputs.
    func obey(_ order: ConnectionOrder, of id: ConnectionID)

    /// The connections have been given everything of this tick.
    func finishOrders()
}
