import RacProtocol

/// A row of the table `channel`; its key is the channel's number.
enum ChannelRow {
    /// Passes each row of the table to `body`.
    static func forEach(in database: SQLiteConnection, _ body: (StoredChannel) throws -> Void) throws {
        var authors = Authors()
        try database.forEachRow(of: "SELECT \(self.columns) FROM channel") {
            try body(try self.channel(&$0, &authors))
        }
    }

    /// The columns in the order in which rows are read and written.
    static let columnNames = [
        "id", "name", "mode", "state", "revision", "changed_at", "value", "value_revision", "value_cause", "wish",
        "wish_revision", "wish_cause", "error_code", "error_message", "error_data", "changed_by",
    ]
    static let columns = Self.columnNames.joined(separator: ", ")
}

extension ChannelRow {
    /// The writers that were read so far, each once for all rows.
    private struct Authors {
        private var named: [String: Author] = [:]

        mutating func author(_ name: String?) -> Author? {
            guard let name else { return nil }
            if let author = self.named[name] { return author }
            let author = Author(name)
            self.named[name] = author
            return author
        }
    }

    private static func channel(_ row: inout RowReader, _ authors: inout Authors) throws(RowDamage) -> StoredChannel {
        let key = try row.integer()
        let number = ChannelNumber(UInt64(clamping: key))
        guard key > 0, number <= .greatest else { throw RowDamage(reason: "id \(key) is out of range") }
        do {
            return StoredChannel(number: number, record: try self.record(&row, &authors))
        } catch {
            throw RowDamage(reason: "channel row \(key): \(error.reason)")
        }
    }

    private static func record(_ row: inout RowReader, _ authors: inout Authors) throws(RowDamage) -> ChannelRecord {
        let name = try self.name(try row.text())
        guard let mode = ChannelMode(rawValue: try row.text()) else { throw RowDamage(reason: "mode is unknown") }
        let word = ChannelStateWord(rawValue: try row.text())
        let revision = Revision(UInt64(bitPattern: try row.integer()))
        let changedAt = try row.integer()
        let value = try self.valuation(&row, newest: revision)
        let wish = try self.valuation(&row, newest: revision)
        let state = try self.state(word, error: try self.error(&row))
        return ChannelRecord(
            name: name,
            mode: mode,
            state: state,
            revision: revision,
            value: value,
            wish: wish,
            changedAt: changedAt,
            author: authors.author(try row.optionalText())
        )
    }

    private static func name(_ text: String) throws(RowDamage) -> ChannelName {
        do {
            return try ChannelName(text)
        } catch {
            throw RowDamage(reason: error.description)
        }
    }

    private static func valuation(_ row: inout RowReader, newest: Revision) throws(RowDamage) -> Valuation? {
        let value = try self.json(try row.optionalText())
        let revision = try row.optionalInteger().map { Revision(UInt64(bitPattern: $0)) }
        let cause = try row.optionalInteger().map { Revision(UInt64(bitPattern: $0)) }
        switch (value, revision) {
        case (nil, nil):
            guard cause == nil else { throw RowDamage(reason: "a cause without a value") }
            return nil
        case (let value?, let revision?):
            guard revision <= newest else { throw RowDamage(reason: "a value is newer than its channel") }
            return Valuation(value: value, revision: revision, cause: cause)
        case (nil, _?), (_?, nil):
            throw RowDamage(reason: "a value and its revision do not come together")
        }
    }

    private static func json(_ text: String?) throws(RowDamage) -> JSONText? {
        guard let text else { return nil }
        do {
            return try JSONText(text)
        } catch {
            throw RowDamage(reason: error.description)
        }
    }

    private static func error(_ row: inout RowReader) throws(RowDamage) -> WireError? {
        let code = try row.optionalText()
        let message = try row.optionalText()
        let data = try self.json(try row.optionalText())
        switch (code, message) {
        case (nil, nil):
            guard data == nil else { throw RowDamage(reason: "data of an error without the error") }
            return nil
        case (let code?, let message?):
            return WireError(code: code, message: message, data: data)
        case (nil, _?), (_?, nil):
            throw RowDamage(reason: "half an error")
        }
    }

    private static func state(_ word: ChannelStateWord?, error: WireError?) throws(RowDamage) -> ChannelState {
        switch (word, error) {
        case (.open, nil): return .open
        case (.completed, nil): return .completed
        case (.failed, let error?): return .failed(error)
        case (.open, _?), (.completed, _?): throw RowDamage(reason: "an error of a channel that did not fail")
        case (.failed, nil): throw RowDamage(reason: "a channel failed without an error")
        case (.deleted, _), (nil, _): throw RowDamage(reason: "state is unknown")
        }
    }
}
