/// A request for the bindings of a channel.
package struct AskWho: Hashable, Sendable {
    package var channel: ChannelName
    /// The number of the connection behind which the answer begins.
    package var after: UInt64?

    package init(channel: ChannelName, after: UInt64? = nil) {
        self.channel = channel
        self.after = after
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channel = try envelope.channel()
        self.after = try envelope.count(.after)
    }

    func write(to object: inout ObjectWriter) {
        object.write(self.channel)
        object.write(.after, self.after)
    }
}

/// The answer to `who`: the bindings of a channel.
package struct Who: Hashable, Sendable {
    /// The values that a binding gets when there is no room for all.
    package enum Delivery: Hashable, Sendable {
        case newest
        case every
        /// The newest value, once in this number of milliseconds.
        case paced(interval: UInt64)
    }

    package struct Entry: Hashable, Sendable {
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

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        let entries = try envelope.elements(.who) { bytes throws(MessageError) in
            try Entry(Envelope(bytes, inside: 2))
        }
        guard let entries else { throw envelope.missing(.who, "an array") }
        self.entries = entries
        self.more = try envelope.flag(.more) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(.who, array: self.entries) { entry, bytes in
            bytes.writeObject(entry.write)
        }
        object.write(.more, self.more)
    }
}
