import CSQLite

/// The connection that writes the database, with the statements of its transactions.
///
/// `@unchecked` holds because a connection belongs to the store's `disk`, which only the holder of its Mutex reaches.
final class StoreConnection: @unchecked Sendable {
    let database: SQLiteConnection
    private let statements: TransactionStatements
    /// Whether the transaction under way reserves revisions, which is synced whatever the durability.
    private var isReserving = false
    /// Whether the log has a reservation that has to go into the file, with a sync, before commits do without syncs.
    private var keepsReservation = false

    /// Takes a connection to a database that has its tables.
    init(_ database: SQLiteConnection) throws {
        self.database = database
        self.statements = try TransactionStatements(on: database)
    }

    /// Begins a transaction and writes work to it; nothing of it is stored when this or a later step throws.
    func begin(_ work: CommitQueueStateMachine.Work) throws {
        self.isReserving = work.reservation != nil
        if self.isReserving { try self.database.setSynchronous(.full) }
        try self.statements.begin.run()
        try self.write(work)
    }

    /// Writes more work to the transaction under way.
    func write(_ work: CommitQueueStateMachine.Work) throws {
        try self.orRollBack { try self.statements.write(work) }
    }

    /// Commits the transaction under way; a reservation is on the disk then.
    func commit(_ durability: Durability) throws {
        try self.orRollBack { try self.statements.commit.run() }
        guard self.isReserving || self.keepsReservation else { return }
        // Without syncs later checkpoints empty the log, which holds the reservation, without waiting for the disk.
        self.keepsReservation = try durability == .off && !self.takesLogIntoFile()
        if !self.keepsReservation { try self.database.setSynchronous(durability) }
    }

    /// Takes the log into the file; false if a backup reads the database, so that a later commit has to try again.
    private func takesLogIntoFile() throws -> Bool {
        do {
            try self.database.checkpoint(SQLITE_CHECKPOINT_FULL, waits: false)
            return true
        } catch let error as SQLiteError where error.primaryCode == SQLITE_BUSY {
            return false
        }
    }

    private func orRollBack(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            if self.database.isInTransaction { try? self.statements.rollback.run() }
            throw error
        }
    }
}
