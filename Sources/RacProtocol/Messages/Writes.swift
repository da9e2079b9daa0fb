/// A request to give a channel a value.
package struct SetValue: Hashable, Sendable {
    package var channel: ChannelName
    package var value: JSONText
    package var role: Role = .following
    /// The revision that the channel must still have; 0 for a channel without a value.
    package var condition: Revision?
    package var cause: Revision?
    package var sync = false

    package init(channel: ChannelName, value: JSONText) {
        self.channel = channel
        self.value = value
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channel = try envelope.channel()
        self.value = try envelope.requiredJSON(.value)
        self.role = try envelope.word(.role, as: Role.self) ?? .following
        self.condition = try envelope.revision(.if)
        self.cause = try envelope.revision(.cause)
        self.sync = try envelope.flag(.sync) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(self.channel)
        if self.role == .leading { object.write(.role, self.role.rawValue) }
        object.write(.if, self.condition)
        object.write(.cause, self.cause)
        object.write(.sync, ifTrue: self.sync)
        object.write(.value, self.value)
    }
}

/// A request to end a channel.
package struct Finish: Hashable, Sendable {
    package var channel: ChannelName
    package var end: ChannelEnd
    package var sync = false

    package init(channel: ChannelName, end: ChannelEnd) {
        self.channel = channel
        self.end = end
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channel = try envelope.channel()
        self.end = try envelope.wireError().map(ChannelEnd.failed) ?? .completed
        self.sync = try envelope.flag(.sync) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(self.channel)
        if case .failed(let error) = self.end { object.write(.error, error) }
        object.write(.sync, ifTrue: self.sync)
    }
}

/// A request that names a channel and nothing else: `reopen` and `delete`.
package struct ChannelOrder: Hashable, Sendable {
    package var channel: ChannelName
    package var sync = false

    package init(channel: ChannelName) {
        self.channel = channel
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channel = try envelope.channel()
        self.sync = try envelope.flag(.sync) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(self.channel)
        object.write(.sync, ifTrue: self.sync)
    }
}

/// A request for a new channel.
package struct Create: Hashable, Sendable {
    package var channel: ChannelName
    package var mode: ChannelMode = .shared
    package var value: JSONText?
    package var sync = false

    package init(channel: ChannelName) {
        self.channel = channel
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channel = try envelope.channel()
        self.mode = try envelope.word(.mode, as: ChannelMode.self) ?? .shared
        self.value = envelope.json(.value)
        self.sync = try envelope.flag(.sync) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(self.channel)
        object.write(.mode, self.mode.rawValue)
        object.write(.sync, ifTrue: self.sync)
        object.write(.value, self.value)
    }
}

/// A request to set several channels, all or none.
package struct Put: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var channel: ChannelName
        /// Nil for a guard, which only compares.
        package var value: JSONText?
        package var condition: Revision?

        package init(channel: ChannelName, value: JSONText?, condition: Revision? = nil) {
            self.channel = channel
            self.value = value
            self.condition = condition
        }

        init(_ envelope: borrowing Envelope) throws(MessageError) {
            self.channel = try envelope.channel()
            self.condition = try envelope.revision(.if)
            self.value = self.condition == nil ? try envelope.requiredJSON(.value) : envelope.json(.value)
        }
    }

    /// The most entries: a put takes effect as a whole, so it has to fit one turn of the daemon.
    package static let maximumEntries = 2_048

    package var entries: [Entry]
    package var sync = false

    package init(entries: [Entry]) {
        self.entries = entries
    }

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        let id = try envelope.integer(.id)
        var index: UInt64 = 0
        let entries = try envelope.elements(.set, atMost: Self.maximumEntries) { bytes throws(MessageError) in
            defer { index += 1 }
            do throws(MessageError) {
                return try Entry(Envelope(bytes, inside: 2))
            } catch {
                throw MessageError(error, of: id.map { .entry(RequestID($0), index) })
            }
        }
        let form = "an array with at least one {channel, value?, if?}"
        guard let entries else { throw envelope.missing(.set, form) }
        guard !entries.isEmpty else { throw envelope.wrong(.set, form) }
        self.entries = entries
        self.sync = try envelope.flag(.sync) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(.sync, ifTrue: self.sync)
        object.write(.set, array: self.entries) { entry, bytes in
            bytes.writeObject { object in
                object.write(entry.channel)
                object.write(.if, entry.condition)
                object.write(.value, entry.value)
            }
        }
    }
}
