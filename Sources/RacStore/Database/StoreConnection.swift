import GRDB
import GRDBSQLite

/// A connection to the database, with the statements of its transactions.
struct StoreConnection: Sendable {
    let queue: DatabaseQueue
    private let transaction: StoreTransaction

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

    /// Writes all of the work and of what is added, or nothing.
    ///
    /// Nobody else uses the connection, so a commit need not wait for GRDB's queue.
    func write(
        _ work: CommitQueueStateMachine.Work,
        adding next: () -> CommitQueueStateMachine.Work?,
        _ durability: Durability
    ) throws {
        guard work.reservation != nil else { return try self.transaction.write(work, adding: next) }
        try self.queue.inDatabase { try $0.setSynchronous(.full) }
        try self.transaction.write(work, adding: next)
        try self.queue.inDatabase { database in
            if durability == .off {
                // Later checkpoints do not wait for the disk, and they take the log that has the reservation away.
                _ = try database.checkpoint(.full)
            }
            try database.setSynchronous(durability)
        }
    }
}
