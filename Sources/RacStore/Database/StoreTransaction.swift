import GRDB
import GRDBSQLite
import RacProtocol

/// What writes a transaction: its statements, prepared once for a connection.
///
/// `@unchecked` holds because it has nothing but statements, which only the holder of the Mutex around `disk` reaches.
struct StoreTransaction: @unchecked Sendable {
    /// The number of rows in one multi-row insert, which takes SQLite two thirds of the work of single inserts.
    private static let groupSize = 16

    private let connection: SQLiteConnection
    private let begin: PreparedStatement
    private let commit: PreparedStatement
    private let rollback: PreparedStatement
    private let put: PreparedStatement
    private let putPlain: PreparedStatement
    private let putGroup: PreparedStatement
    private let remove: PreparedStatement
    private let reserve: PreparedStatement

    /// It must be gone before its connection is closed.
    init(on connection: SQLiteConnection) throws {
        self.connection = connection
        self.begin = try PreparedStatement("BEGIN IMMEDIATE", on: connection)
        self.commit = try PreparedStatement("COMMIT", on: connection)
        self.rollback = try PreparedStatement("ROLLBACK", on: connection)
        self.put = try PreparedStatement(ChannelRow.putting, on: connection)
        self.putPlain = try PreparedStatement(ChannelRow.puttingPlain(rows: 1), on: connection)
        self.putGroup = try PreparedStatement(ChannelRow.puttingPlain(rows: Self.groupSize), on: connection)
        self.remove = try PreparedStatement(ChannelRow.removing, on: connection)
        self.reserve = try PreparedStatement("UPDATE revision_block SET reserved = ?", on: connection)
    }

    func start() throws {
        try self.begin.run()
    }

    /// Writes the rows of work to the transaction under way.
    func write(_ work: CommitQueueStateMachine.Work) throws {
        try self.orRollBack { try self.writeRows(of: work) }
    }

    func end() throws {
        try self.orRollBack { try self.commit.run() }
    }

    private func orRollBack(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            // After some failures SQLite has rolled back already.
            if sqlite3_get_autocommit(self.connection) == 0 { try? self.rollback.run() }
            throw error
        }
    }

    private func writeRows(of work: CommitQueueStateMachine.Work) throws {
        let hasGroups = work.changes.count >= Self.groupSize
        var group: [StoredChannel] = []
        // In the order of their keys, pages are read and written once each; in a dictionary's order, again and again.
        // Numbers are sorted and not changes, which have a dozen references to count whenever one moves.
        for number in work.changes.keys.sorted() {
            switch work.changes[number] {
            case .put(let channel) where hasGroups && ChannelRow.fitsGroup(channel.record):
                group.append(channel)
                guard group.count == Self.groupSize else { break }
                try ChannelRow.put(group: group, with: self.putGroup)
                group.removeAll(keepingCapacity: true)
            case .put(let channel): try self.put(channel)
            case .remove, nil: try self.remove.run { try $0.bind(Int64(bitPattern: number.number)) }
            }
        }
        for channel in group { try self.put(channel) }
        if let reservation = work.reservation {
            try self.reserve.run { try $0.bind(Int64(clamping: reservation.number)) }
        }
    }

    private func put(_ channel: StoredChannel) throws {
        try ChannelRow.put(channel, with: ChannelRow.isPlain(channel.record) ? self.putPlain : self.put)
    }
}
