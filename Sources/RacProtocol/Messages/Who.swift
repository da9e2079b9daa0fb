/// A request for the bindings of a channel, or for all connections.
package struct AskWho: Hashable, Sendable {
    /// Nil for all connections.
    package var channel: ChannelName?
    /// The number of the connection behind which the answer begins.
    package var after: UInt64?
    package var limit: UInt64?

    package init(channel: ChannelName?, after: UInt64? = nil, limit: UInt64? = nil) {
        self.channel = channel
        self.after = after
        self.limit = limit
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channel = envelope.has(.channel) ? try envelope.channel() : nil
        self.after = try envelope.count(.after)
        self.limit = try envelope.count(.limit)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.channel, self.channel?.text)
        object.write(.after, self.after)
        object.write(.limit, self.limit)
    }
}

/// The answer to `who` with a channel: the bindings of a channel.
package struct Who: WhoAnswer, Hashable, Sendable {
    /// The values that a binding gets when there is no room for all.
    package enum Delivery: Hashable, Sendable {
        case newest
        case every
        /// The newest value, once in this number of milliseconds.
        case paced(interval: UInt64)
    }

    package struct Entry: WhoEntry, Hashable, Sendable {
        package var client: ConnectedClient
        package var role: Role
        package var delivery: Delivery
        /// Whether frames wait until the client reads.
        package var isSlow: Bool

        package init(client: ConnectedClient, role: Role, delivery: Delivery, isSlow: Bool) {
            self.client = client
            self.role = role
            self.delivery = delivery
            self.isSlow = isSlow
        }

        init(_ envelope: borrowing Envelope) throws(MessageError) {
            self.client = try ConnectedClient(envelope)
            self.role = try envelope.word(.role, as: Role.self) ?? .following
            self.delivery = try Self.delivery(envelope)
            self.isSlow = try envelope.flag(.slow) ?? false
        }

        private static func delivery(_ envelope: borrowing Envelope) throws(MessageError) -> Delivery {
            if let interval = try envelope.count(.interval) { return .paced(interval: interval) }
            return try envelope.flag(.conflate) ?? true ? .newest : .every
        }

        func write(to object: inout ObjectWriter) {
            self.client.write(to: &object)
            object.write(.role, self.role.rawValue)
            switch self.delivery {
            case .newest: object.write(.conflate, true)
            case .every: object.write(.conflate, false)
            case .paced(let interval): object.write(.interval, interval)
            }
            object.write(.slow, ifTrue: self.isSlow)
        }
    }

    package var entries: [Entry]
    /// Whether the channel has more bindings.
    package var more: Bool

    package init(entries: [Entry], more: Bool) {
        self.entries = entries
        self.more = more
    }
}
