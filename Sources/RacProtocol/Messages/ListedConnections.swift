/// The answer to `who` without a channel: the connections of the daemon.
package struct ListedConnections: WhoAnswer, Hashable, Sendable {
    package struct Entry: WhoEntry, Hashable, Sendable {
        package var client: ConnectedClient
        /// The number of its bindings.
        package var bound: UInt64

        package init(client: ConnectedClient, bound: UInt64) {
            self.client = client
            self.bound = bound
        }

        init(_ envelope: borrowing Envelope) throws(MessageError) {
            self.client = try ConnectedClient(envelope)
            self.bound = try envelope.count(.bound) ?? 0
        }

        func write(to object: inout ObjectWriter) {
            self.client.write(to: &object)
            object.write(.bound, self.bound)
        }
    }

    package var entries: [Entry]
    /// Whether the daemon has more connections.
    package var more: Bool

    package init(entries: [Entry], more: Bool) {
        self.entries = entries
        self.more = more
    }
}
