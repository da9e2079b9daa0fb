/// A connection's client, as the daemon tells it to others.
package struct ConnectedClient: Hashable, Sendable {
    /// The daemon's number of the connection, which no other connection gets.
    package var connection: UInt64
    /// The client's name for its program.
    package var agent: String?

    package init(connection: UInt64, agent: String? = nil) {
        self.connection = connection
        self.agent = agent
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.connection = try envelope.requiredCount(.connection)
        self.agent = try envelope.string(.agent)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.connection, self.connection)
        object.write(.agent, self.agent)
    }
}
