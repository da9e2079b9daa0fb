import GRDB
import GRDBSQLite

/// A connection to the database, with the statements of its transactions.
struct StoreConnection: Sendable {
    let queue: DatabaseQueue
    private let transaction: StoreTransaction
    /// Whether the transaction under way reserves revisions, which is synced whatever the durability.
    private var isReserving = false

    /// The database must have its tables.
    init(_ queue: DatabaseQueue) throws {
        guard let connection = queue.inDatabase(\.sqliteConnection) else {
            throw DatabaseError(resultCode: .SQLITE_MISUSE, message: "the connection is closed")
        }
        // They are for observers, of which there are none, and must be called on GRDB's queue.
        sqlite3_commit_hook(connection, nil, nil)
        sqlite3_rollback_hook(connection, nil, nil)
        self.queue = queue
        self.transaction = try StoreTransaction(on: connection)
    }

    /// Begins a transaction and writes work to it.
    mutating func begin(_ work: CommitQueueStateMachine.Work) throws {
        self.isReserving = work.reservation != nil
        if self.isReserving { try self.queue.inDatabase { try $0.setSynchronous(.full) } }
        try self.transaction.start()
        try self.transaction.write(work)
    }

    /// Writes more work to the transaction under way.
    func write(_ work: CommitQueueStateMachine.Work) throws {
        try self.transaction.write(work)
    }

    /// Commits the transaction under way; a reservation is on the disk then.
    func commit(_ durability: Durability) throws {
        try self.transaction.end()
        guard self.isReserving else { return }
        try self.queue.inDatabase { database in
            if durability == .off {
                // Later checkpoints do not wait for the disk, and they take the log that has the reservation away.
                _ = try database.checkpoint(.full)
            }
            try database.setSynchronous(durability)
        }
    }
}
