import RacProtocol

/// The statements that write rows, and their parameters.
extension ChannelRow {
    /// Inserts a channel's row, or replaces it.
    static let putting = """
        REPLACE INTO channel (\(Self.columns)) VALUES (\(Self.columnNames.map { _ in "?" }.joined(separator: ", ")))
        """

    /// Inserts or replaces rows of plain channels, as nearly all are: six of the columns stay NULL and need no parameter.
    static func puttingPlain(rows: Int) -> String {
        let row = "(?, ?, '\(ChannelMode.shared.word)', '\(ChannelStateWord.open.word)', ?, ?, ?, ?, ?, ?)"
        return """
            REPLACE INTO channel
            (id, name, mode, state, revision, changed_at, value, value_revision, value_cause, changed_by)
            VALUES \(repeatElement(row, count: rows).joined(separator: ", "))
            """
    }

    /// Removes the row of the channel whose number is bound.
    static let removing = "DELETE FROM channel WHERE id = ?"

    /// The most bytes of a value in a statement of several rows: SQLite keeps the old pages that such a statement changes.
    private static let longestInGroup = 1024

    /// Whether a channel is shared and open, and has no wish.
    static func isPlain(_ record: ChannelRecord) -> Bool {
        guard case .open = record.state else { return false }
        return record.mode == .shared && record.wish == nil
    }

    /// Whether a channel fits a statement of several rows: it is plain and its value is short.
    static func fitsGroup(_ record: ChannelRecord) -> Bool {
        (record.value?.value.byteCount ?? 0) <= self.longestInGroup && self.isPlain(record)
    }

    /// Writes a channel with a statement of its kind: `puttingPlain(rows: 1)` for a plain channel, else ``putting``.
    static func put(_ channel: StoredChannel, with statement: SQLiteStatement) throws {
        var name = channel.record.name.text
        try name.withUTF8 { name in
            let name = UnsafeRawBufferPointer(name)
            guard let value = channel.record.value else { return try self.put(channel, name, nil, with: statement) }
            try value.value.withBytes { try self.put(channel, name, $0, with: statement) }
        }
    }

    /// Writes channels that fit with a `puttingPlain(rows:)` of as many rows.
    static func put(group: [StoredChannel], with statement: SQLiteStatement) throws {
        // SQLite reads names and values in place when the statement runs, so one buffer keeps all of them until then.
        var texts: [UInt8] = []
        for channel in group {
            texts.append(contentsOf: channel.record.name.text.utf8)
            channel.record.value?.value.withBytes { texts.append(contentsOf: $0) }
        }
        try texts.withUnsafeBytes { texts in
            var end = 0
            func next(_ count: Int) -> UnsafeRawBufferPointer {
                defer { end += count }
                return UnsafeRawBufferPointer(rebasing: texts[end..<end + count])
            }
            try statement.run { row in
                for channel in group {
                    let name = next(channel.record.name.text.utf8.count)
                    let value = (channel.record.value?.value.byteCount).map(next)
                    try self.bind(plain: channel, name, value, to: &row)
                }
            }
        }
    }

    private static func put(
        _ channel: StoredChannel,
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer?,
        with statement: SQLiteStatement
    ) throws {
        try statement.run { row in
            if self.isPlain(channel.record) {
                try self.bind(plain: channel, name, value, to: &row)
            } else {
                try self.bind(channel, name, value, to: &row)
            }
        }
    }

    private static func bind(
        plain channel: StoredChannel,
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer?,
        to row: inout RowWriter
    ) throws {
        let record = channel.record
        try row.bind(Int64(bitPattern: channel.number.number))
        try row.bind(lasting: name)
        try row.bind(self.integer(record.revision))
        try row.bind(record.changedAt)
        try row.bind(lasting: value)
        try row.bind(self.integer(record.value?.revision))
        try row.bind(self.integer(record.value?.cause))
        try row.bind(record.author?.name)
    }

    private static func bind(
        _ channel: StoredChannel,
        _ name: UnsafeRawBufferPointer,
        _ value: UnsafeRawBufferPointer?,
        to row: inout RowWriter
    ) throws {
        let record = channel.record
        let failure: WireError? = if case .failed(let error) = record.state { error } else { nil }
        try row.bind(Int64(bitPattern: channel.number.number))
        try row.bind(lasting: name)
        try row.bind(word: record.mode.word)
        try row.bind(word: record.state.word.word)
        try row.bind(self.integer(record.revision))
        try row.bind(record.changedAt)
        try row.bind(lasting: value)
        try row.bind(self.integer(record.value?.revision))
        try row.bind(self.integer(record.value?.cause))
        try row.bind(record.wish?.value.text)
        try row.bind(self.integer(record.wish?.revision))
        try row.bind(self.integer(record.wish?.cause))
        try row.bind(failure?.code)
        try row.bind(failure?.message)
        try row.bind(failure?.data?.text)
        try row.bind(record.author?.name)
    }

    /// Returns the revision's bits as SQLite's integer, which has a sign.
    private static func integer(_ revision: Revision?) -> Int64? {
        revision.map { Int64(bitPattern: $0.number) }
    }
}

extension ChannelMode {
    fileprivate var word: StaticString {
        switch self {
        case .shared: "shared"
        case .paired: "paired"
        }
    }
}

extension ChannelStateWord {
    fileprivate var word: StaticString {
        switch self {
        case .open: "open"
        case .completed: "completed"
        case .failed: "failed"
        case .deleted: "deleted"
        }
    }
}
