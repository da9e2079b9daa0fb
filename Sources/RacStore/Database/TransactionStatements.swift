import RacProtocol

/// The statements of a transaction, prepared once for a connection.
struct TransactionStatements {
    /// The number of rows in one multi-row insert, which takes SQLite two thirds of the work of single inserts.
    private static let groupSize = 16

    let begin: SQLiteStatement
    let commit: SQLiteStatement
    let rollback: SQLiteStatement
    private let put: SQLiteStatement
    private let putPlain: SQLiteStatement
    private let putGroup: SQLiteStatement
    private let remove: SQLiteStatement
    private let removeBeyond: SQLiteStatement
    private let reserve: SQLiteStatement

    init(on connection: SQLiteConnection) throws {
        self.begin = try SQLiteStatement("BEGIN IMMEDIATE", on: connection)
        self.commit = try SQLiteStatement("COMMIT", on: connection)
        self.rollback = try SQLiteStatement("ROLLBACK", on: connection)
        self.put = try SQLiteStatement(ChannelRow.putting, on: connection)
        self.putPlain = try SQLiteStatement(ChannelRow.puttingPlain(rows: 1), on: connection)
        self.putGroup = try SQLiteStatement(ChannelRow.puttingPlain(rows: Self.groupSize), on: connection)
        self.remove = try SQLiteStatement(ChannelRow.removing, on: connection)
        self.removeBeyond = try SQLiteStatement("DELETE FROM channel WHERE id > ?", on: connection)
        self.reserve = try SQLiteStatement("UPDATE revision_block SET reserved = ?", on: connection)
    }

    /// Writes the rows of work, and its reservation.
    func write(_ work: CommitQueueStateMachine.Work) throws {
        if let greatest = work.removesBeyond {
            try self.removeBeyond.run { try $0.bind(Int64(bitPattern: greatest.number)) }
        }
        let hasGroups = work.changes.count >= Self.groupSize
        var group: [StoredChannel] = []
        // In the order of their keys, rows touch each page once; in a dictionary's order, again and again. The keys are
        // sorted and not the changes, because each move of a change counts a dozen references.
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
