import GRDB
import RacProtocol

/// The open database: what a start reads from it and what each transaction writes.
struct StoreFile: Sendable {
    let path: String
    private let durability: Durability
    /// Nil after a failure that SQLite recovers from in a new connection only.
    private var connection: StoreConnection?

    /// Opens the file, checks it and brings it to the present version.
    init(path: String, durability: Durability) throws(StoreError) {
        self.path = path
        self.durability = durability
        let queue = try DatabaseQueue.openStore(at: path, durability: durability)
        self.connection = try StoreError.translating(path) {
            try queue.inDatabase { database in try Self.check(database, path: path) }
            try StoreSchema.migrator.migrate(queue)
            queue.inDatabase { $0.sqliteConnection.flatMap { WriteAheadLog(of: $0) }?.extend() }
            return try StoreConnection(queue)
        }
    }

    /// Passes every channel to `body` and tells the end of the newest reserved block.
    func load(_ body: (StoredChannel) -> Void) throws(StoreError) -> Revision {
        guard let queue = self.connection?.queue else { return .none }
        return try StoreError.translating(self.path) {
            try queue.inDatabase { database in
                let reserved = try Self.reserved(database)
                var names = Set<ChannelName>()
                names.reserveCapacity(try Int.fetchOne(database, sql: "SELECT count(*) FROM channel") ?? 0)
                try ChannelRow.forEach(in: database) { channel in
                    guard channel.record.revision <= reserved else {
                        throw RowDamage(reason: "channel row \(channel.number.number): its revision was never reserved")
                    }
                    guard names.insert(channel.record.name).inserted else {
                        throw RowDamage(reason: "channel row \(channel.number.number): its name is there twice")
                    }
                    body(channel)
                }
                return reserved
            }
        }
    }

    /// Begins a transaction and writes work to it; nothing of the transaction is stored when this or a later step throws.
    mutating func begin(_ work: CommitQueueStateMachine.Work) throws(StoreError) {
        if self.connection == nil { self.connection = try self.reopened() }
        try self.attempt { try $0.begin(work) }
    }

    /// Writes more work to the transaction under way.
    mutating func write(_ work: CommitQueueStateMachine.Work) throws(StoreError) {
        try self.attempt { try $0.write(work) }
    }

    /// Commits the transaction under way.
    mutating func commit() throws(StoreError) {
        let durability = self.durability
        try self.attempt { try $0.commit(durability) }
    }

    /// Takes the write-ahead log into the file and closes it.
    mutating func close() throws(StoreError) {
        guard let queue = self.takeQueue() else { return }
        try StoreError.translating(self.path) {
            try queue.inDatabase { database in
                try database.setSynchronous(.full)
                do {
                    _ = try database.checkpoint(.truncate)
                } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
                    // A backup is reading: the log stays and the next start reads it.
                }
            }
            try queue.close()
        }
    }
}

extension StoreFile {
    /// What is open, to be closed: its statements are gone, which it would not survive.
    private mutating func takeQueue() -> DatabaseQueue? {
        let queue = self.connection?.queue
        self.connection = nil
        return queue
    }

    private mutating func attempt(_ body: (inout StoreConnection) throws -> Void) throws(StoreError) {
        guard var connection = self.connection else { return }
        var isSound = true
        do throws(StoreError) {
            try StoreError.translating(self.path) {
                do {
                    try body(&connection)
                } catch let error as DatabaseError {
                    isSound = error.leavesConnectionSound
                    throw error
                }
            }
            self.connection = connection
        } catch {
            if !isSound { try? self.takeQueue()?.close() }
            throw error
        }
    }

    private func reopened() throws(StoreError) -> StoreConnection {
        let queue = try DatabaseQueue.openStore(at: self.path, durability: self.durability)
        return try StoreError.translating(self.path) {
            try queue.inDatabase { database in
                // A sync that failed leaves a whole transaction in the log, which counts again after opening, and which
                // the next attempt finds unchanged and does not write: it would be told as stored without a sync. And the
                // kernel may have given up on those bytes, so that a later sync of the log does not help them either.
                try database.setSynchronous(.full)
                _ = try database.checkpoint(.truncate)
                try database.setSynchronous(self.durability)
            }
            return try StoreConnection(queue)
        }
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
}
