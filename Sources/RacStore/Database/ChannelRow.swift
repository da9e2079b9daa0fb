import GRDB
import GRDBSQLite
import RacProtocol

/// A channel as the table `channel` has it.
struct ChannelRow {
    /// The greatest key: far from where the next one would overflow, farther from what can ever be used.
    static let lastKey = Int64.max / 2

    let key: Int64
    let record: ChannelRecord

    /// Passes each row of the table to `body`.
    static func forEach(in database: Database, _ body: (ChannelRow) throws -> Void) throws {
        let statement = try database.makeStatement(sql: "SELECT \(self.columns) FROM channel")
        while true {
            switch sqlite3_step(statement.sqliteStatement) {
            case SQLITE_ROW: try body(try ChannelRow(statement.sqliteStatement))
            case SQLITE_DONE: return
            case let code: throw DatabaseError(resultCode: ResultCode(rawValue: code))
            }
        }
    }

    /// The statement for `put`, to be asked for once and not for each row: GRDB finds it by the hash of its long text.
    static func putStatement(in database: Database) throws -> Statement {
        try database.cachedStatement(sql: self.upsert)
    }

    static func put(_ record: ChannelRecord, key: Int64, with statement: Statement) throws {
        let failure: WireError? = if case .failed(let error) = record.state { error } else { nil }
        var row = RowWriter(statement)
        try row.bind(key)
        try row.bind(record.name.text)
        try row.bind(record.mode.rawValue)
        try row.bind(record.state.word.rawValue)
        try row.bind(Int64(bitPattern: record.revision.number))
        try row.bind(record.changedAt)
        try self.bind(record.value, to: &row)
        try self.bind(record.wish, to: &row)
        try row.bind(failure?.code)
        try row.bind(failure?.message)
        try row.bind(failure?.data?.text)
        try row.run()
    }

    static func remove(key: Int64, in database: Database) throws {
        try database.cachedStatement(sql: "DELETE FROM channel WHERE id = ?").execute(arguments: [key])
    }

    /// The order in which rows are read and written.
    private static let columnNames = [
        "id", "name", "mode", "state", "revision", "changed_at", "value", "value_revision", "value_cause", "wish",
        "wish_revision", "wish_cause", "error_code", "error_message", "error_data",
    ]
    private static let columns = Self.columnNames.joined(separator: ", ")
    private static let upsert = """
        INSERT INTO channel (\(Self.columns)) VALUES (\(Self.columnNames.map { _ in "?" }.joined(separator: ", ")))
        ON CONFLICT (id) DO UPDATE SET
        \(Self.columnNames.dropFirst().map { "\($0) = excluded.\($0)" }.joined(separator: ", "))
        """

    /// SQLite's integers have a sign; a cause is whatever number a client named.
    private static func bind(_ valuation: Valuation?, to row: inout RowWriter) throws {
        try row.bind(valuation?.value.text)
        try row.bind((valuation?.revision).map { Int64(bitPattern: $0.number) })
        try row.bind((valuation?.cause).map { Int64(bitPattern: $0.number) })
    }
}

extension ChannelRow {
    private init(_ statement: SQLiteStatement) throws(RowDamage) {
        var row = RowReader(statement)
        self.key = try row.integer()
        guard (1...Self.lastKey).contains(self.key) else { throw RowDamage(reason: "id \(self.key) is out of range") }
        do {
            self.record = try Self.record(&row)
        } catch {
            throw RowDamage(reason: "channel row \(self.key): \(error.reason)")
        }
    }

    private static func record(_ row: inout RowReader) throws(RowDamage) -> ChannelRecord {
        let name = try self.name(try row.text())
        guard let mode = ChannelMode(rawValue: try row.text()) else { throw RowDamage(reason: "mode is unknown") }
        let word = ChannelStateWord(rawValue: try row.text())
        let revision = Revision(UInt64(bitPattern: try row.integer()))
        let changedAt = try row.integer()
        let value = try self.valuation(&row, newest: revision)
        let wish = try self.valuation(&row, newest: revision)
        return ChannelRecord(
            name: name,
            mode: mode,
            state: try self.state(word, error: try self.error(&row)),
            revision: revision,
            value: value,
            wish: wish,
            changedAt: changedAt
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
