/// A request for the names of channels or of commands, in order.
package struct List: Hashable, Sendable {
    package var pattern: ChannelPattern = .all
    /// The name behind which the answer begins.
    package var after: ChannelName?
    package var limit: UInt64?

    package init() {}

    init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.pattern = try envelope.pattern() ?? .all
        self.after = envelope.has(.after) ? try envelope.channel(.after) : nil
        self.limit = try envelope.count(.limit)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.pattern, self.pattern.text)
        object.write(.after, self.after?.text)
        object.write(.limit, self.limit)
    }
}

/// The answer to a list.
package struct Listed: Hashable, Sendable {
    package struct Entry: Hashable, Sendable {
        package var channel: ChannelName
        package var revision: Revision
        package var state: ChannelStateWord
        package var mode: ChannelMode
        /// The number of bindings, both sides together.
        package var bound: UInt64
        /// The number of changes since the daemon started.
        package var changes: UInt64
        /// The number of bindings with frames that wait until their clients read.
        package var slow: UInt64
        /// The principal that made the newest change.
        package var by: String?

        package init(
            channel: ChannelName,
            revision: Revision,
            state: ChannelStateWord,
            mode: ChannelMode,
            bound: UInt64,
            changes: UInt64,
            slow: UInt64,
            by: String? = nil
        ) {
            self.channel = channel
            self.revision = revision
            self.state = state
            self.mode = mode
            self.bound = bound
            self.changes = changes
            self.slow = slow
            self.by = by
        }

        init(_ envelope: borrowing Envelope) throws(MessageError) {
            self.channel = try envelope.channel()
            self.revision = try envelope.requiredRevision(.rev)
            self.state = try envelope.word(.state, as: ChannelStateWord.self) ?? .open
            self.mode = try envelope.word(.mode, as: ChannelMode.self) ?? .shared
            self.bound = try envelope.count(.bound) ?? 0
            self.changes = try envelope.count(.changes) ?? 0
            self.slow = try envelope.count(.slow) ?? 0
            self.by = try envelope.string(.by)
        }

        func write(to object: inout ObjectWriter) {
            object.write(self.channel)
            object.write(.rev, self.revision)
            object.write(.state, self.state.rawValue)
            object.write(.mode, self.mode.rawValue)
            object.write(.bound, self.bound)
            object.write(.changes, self.changes)
            if self.slow > 0 { object.write(.slow, self.slow) }
            object.write(.by, self.by)
        }
    }

    package var channels: [Entry]
    /// Whether more names follow the last one.
    package var more: Bool

    package init(channels: [Entry], more: Bool) {
        self.channels = channels
        self.more = more
    }

    package init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.channels = try envelope.requiredEntries(.channels, Entry.init)
        self.more = try envelope.flag(.more) ?? false
    }

    func write(to object: inout ObjectWriter) {
        object.write(.channels, array: self.channels) { entry, bytes in
            bytes.writeObject(entry.write)
        }
        object.write(.more, self.more)
    }
}

/// The answer to a get.
package struct Got: Hashable, Sendable {
    /// The revision of the value; 0 if there never was one.
    package var revision: Revision
    package var state: ChannelState
    package var mode: ChannelMode
    package var value: JSONText?
    package var cause: Revision?
    package var wish: JSONText?
    package var wishRevision: Revision?
    /// The time of the newest change, in milliseconds since 1970 UTC.
    package var changedAt: Int64
    /// The principal that made the newest change.
    package var by: String?

    package init(
        revision: Revision,
        state: ChannelState,
        mode: ChannelMode,
        value: JSONText?,
        cause: Revision?,
        wish: JSONText?,
        wishRevision: Revision?,
        changedAt: Int64,
        by: String? = nil
    ) {
        self.revision = revision
        self.state = state
        self.mode = mode
        self.value = value
        self.cause = cause
        self.wish = wish
        self.wishRevision = wishRevision
        self.changedAt = changedAt
        self.by = by
    }

    package init(_ envelope: borrowing Envelope) throws(MessageError) {
        self.revision = try envelope.requiredRevision(.rev)
        guard let state = try envelope.state() else { throw envelope.missing(.state, "a state") }
        self.state = state
        self.mode = try envelope.word(.mode, as: ChannelMode.self) ?? .shared
        self.value = envelope.json(.value)
        self.cause = try envelope.revision(.cause)
        self.wish = envelope.json(.wish)
        self.wishRevision = try envelope.revision(.wishRev)
        self.changedAt = try envelope.integer(.at) ?? 0
        self.by = try envelope.string(.by)
    }

    func write(to object: inout ObjectWriter) {
        object.write(.rev, self.revision)
        object.write(.state, self.state.word.rawValue)
        object.write(.mode, self.mode.rawValue)
        object.write(.value, self.value)
        object.write(.cause, self.cause)
        object.write(.wish, self.wish)
        object.write(.wishRev, self.wishRevision)
        if case .failed(let error) = self.state { object.write(.error, error) }
        object.write(.at, self.changedAt)
        object.write(.by, self.by)
    }
}
