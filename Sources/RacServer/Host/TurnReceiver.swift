package import RacHost
package import RacProtocol

/// Receives the changes of a ``HostTurn``: the store, or whatever stands for it.
package protocol BatchReceiver {
    /// The next block of revisions has to be on disk before any of it is given out.
    func reserve(through revision: Revision)

    /// The changes of a tick, or a part of them.
    func submit(_ batch: StoreBatch)
}

/// Receives the results of a tick from a ``HostTurn``, in the order of the declarations here and the batch last.
package protocol TurnReceiver: BatchReceiver {
    /// The frames that are due to a connection.
    func write(_ output: Outgoing, to connection: HostedConnection)

    /// One order for a connection, behind all outputs.
    func give(_ order: ConnectionOrder, to id: ConnectionID)

    /// The connections have been given everything; the batch follows.
    func finishOrders()
}
