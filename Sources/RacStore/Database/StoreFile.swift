import GRDB
import RacProtocol

/// The open database: what a start reads from it and what each transaction writes.
struct StoreFile: Sendable {
    let path: String
    private let durability: Durability
    /// Nil after a failure that SQLite recovers from in a new connection only.
    private var connection: DatabaseQueue?
    /// Each stored channel's key, and those of channels whose first transaction has not succeeded yet.
    private var keys: [ChannelName: Int64] = [:]
    private var lastKey: Int64 = 0

    /// Opens the file, checks it and brings it to the present version.
    init(path: String, durability: Durability) throws(StoreError) {
        self.path = path
        self.durability = durability
        let connection = try DatabaseQueue.openStore(at: path, durability: durability)
        try StoreError.translating(path) {
            try connection.inDatabase { database in try Self.check(database, path: path) }
            try StoreSchema.migrator.migrate(connection)
        }
        self.connection = connection
    }

    /// Passes every channel to `body` and tells the end of the newest reserved block.
    mutating func load(_ body: (ChannelRecord) -> Void) throws(StoreError) -> Revision {
        guard let connection = self.connection else { return .none }
        return try StoreError.translating(self.path) {
            try connection.inDatabase { database in
                let reserved = try Self.reserved(database)
                self.keys.reserveCapacity(try Int.fetchOne(database, sql: "SELECT count(*) FROM channel") ?? 0)
                try ChannelRow.forEach(in: database) { row in
                    guard row.record.revision <= reserved else {
                        throw RowDamage(reason: "channel row \(row.key): its revision was never reserved")
                    }
                    guard self.keys.updateValue(row.key, forKey: row.record.name) == nil else {
                        throw RowDamage(reason: "channel row \(row.key): its name is there twice")
                    }
                    self.lastKey = max(self.lastKey, row.key)
                    body(row.record)
                }
                return reserved
            }
        }
    }

    /// Stores all of the work or nothing of it.
    mutating func commit(_ work: CommitQueueStateMachine.Work) throws(StoreError) {
        let connection = try self.reopened()
        try StoreError.translating(self.path) {
            do {
                try connection.inDatabase { database in try self.write(work, to: database) }
            } catch let error as DatabaseError where !error.leavesConnectionSound {
                try? connection.close()
                self.connection = nil
                throw error
            }
        }
        for case .remove(let name) in work.changes.values { self.keys[name] = nil }
    }

    /// Takes the write-ahead log into the file and closes it.
    mutating func close() throws(StoreError) {
        guard let connection = self.connection else { return }
        self.connection = nil
        try StoreError.translating(self.path) {
            try connection.inDatabase { database in
                try database.setSynchronous(.full)
                do {
                    _ = try database.checkpoint(.truncate)
                } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
                    // A backup is reading: the log stays and the next start reads it.
                }
            }
            try connection.close()
        }
    }
}

extension StoreFile {
    private mutating func reopened() throws(StoreError) -> DatabaseQueue {
        if let connection = self.connection { return connection }
        let connection = try DatabaseQueue.openStore(at: self.path, durability: self.durability)
        try StoreError.translating(self.path) {
            try connection.inDatabase { database in
                // A sync that failed leaves a whole transaction in the log, which counts again after opening, and which
                // the next attempt finds unchanged and does not write: it would be told as stored without a sync. And the
                // kernel may have given up on those bytes, so that a later sync of the log does not help them either.
                try database.setSynchronous(.full)
                _ = try database.checkpoint(.truncate)
                try database.setSynchronous(self.durability)
            }
        }
        self.connection = connection
        return connection
    }

    /// Refuses what is damaged or newer than this code; `path` is the file to blame.
    static func check(_ database: Database, path: String) throws {
        if let fault = try String.fetchOne(database, sql: "PRAGMA quick_check(1)"), fault != "ok" {
            throw StoreError.damaged(file: path, reason: fault)
        }
        let applied = try StoreSchema.migrator.appliedIdentifiers(database)
        guard !applied.isEmpty else { throw StoreError.damaged(file: path, reason: "it tells no version") }
        guard applied.isSubset(of: StoreSchema.migrator.migrations) else { throw StoreError.newer(file: path) }
    }

    private static func reserved(_ database: Database) throws -> Revision {
        let numbers = try Int64.fetchAll(database, sql: "SELECT reserved FROM revision_block")
        // A thousand changes a microsecond take more than a century to get to half of what there is.
        guard let number = numbers.first, (0...Int64.max / 2).contains(number) else {
            throw RowDamage(reason: "no usable block of revisions")
        }
        return Revision(UInt64(number))
    }

    private mutating func write(_ work: CommitQueueStateMachine.Work, to database: Database) throws {
        guard work.reservation != nil else { return try self.writeTransaction(work, to: database) }
        try database.setSynchronous(.full)
        try self.writeTransaction(work, to: database)
        if self.durability == .off {
            // Later checkpoints do not wait for the disk, and they take the log that has the reservation away.
            _ = try database.checkpoint(.full)
        }
        try database.setSynchronous(self.durability)
    }

    private mutating func writeTransaction(_ work: CommitQueueStateMachine.Work, to database: Database) throws {
        guard !work.changes.isEmpty || work.reservation != nil else { return }
        try database.inTransaction(.immediate) {
            // In the order of their keys, pages are read and written once each; in a dictionary's order, again and again.
            let changes = work.changes.values.map { (key: self.key(for: $0.name), change: $0) }
            let put = try ChannelRow.putStatement(in: database)
            for (key, change) in changes.sorted(by: { $0.key < $1.key }) {
                switch change {
                case .put(let record): try ChannelRow.put(record, key: key, with: put)
                case .remove: try ChannelRow.remove(key: key, in: database)
                }
            }
            if let reservation = work.reservation {
                let sql = "UPDATE revision_block SET reserved = ?"
                try database.cachedStatement(sql: sql).execute(arguments: [Int64(clamping: reservation.number)])
            }
            return .commit
        }
    }

    /// A key outlives a transaction that failed: the next attempt writes the same row.
    private mutating func key(for name: ChannelName) -> Int64 {
        if let key = self.keys[name] { return key }
        self.lastKey += 1
        self.keys[name] = self.lastKey
        return self.lastKey
    }
}
