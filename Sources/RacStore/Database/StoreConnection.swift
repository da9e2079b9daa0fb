import CSQLite

/// The connection that writes the database, with the statements of its transactions.
///
/// `@unchecked` holds because a connection belongs to the store's `disk`, which only the holder of its Mutex reaches.
final class StoreConnection: @unchecked Sendable {
    let database: SQLiteConnection
    private let statements: TransactionStatements
    /// Whether the transaction under way reserves revisions, which is synced whatever the durability.
    private var isReserving = false
    /// Whether the newest page of the log marks the file as open; see ``takeLogIn(_:waits:)``.
    private var isMarked: Bool
    /// The log and its index, which SQLite finds by their paths.
    private let companions: [HeldFile]
    /// Whether the log has a reservation that has to go into the file, with a sync, before commits do without syncs.
    private var keepsReservation = false

    /// Takes a connection to a database that has its tables.
    init(_ database: SQLiteConnection) throws {
        self.database = database
        self.statements = try TransactionStatements(on: database)
        self.isMarked = try database.values(of: "PRAGMA user_version") { try $0.integer() } != [0]
        self.companions = ["-wal", "-shm"].compactMap { HeldFile(path: database.resolvedPath + $0) }
        try database.keepLog(true)
        database.countLogPages()
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
        // The changes are in the log, and a later commit tries again.
        if self.database.logPageCount >= WriteAheadLog.fullCount { _ = try? self.takeLogIn(SQLITE_CHECKPOINT_PASSIVE) }
        guard self.isReserving || self.keepsReservation else { return }
        // Without syncs later checkpoints empty the log, which holds the reservation, without waiting for the disk.
        self.keepsReservation = try durability == .off && !self.takeLogIn(SQLITE_CHECKPOINT_FULL, waits: false)
        if !self.keepsReservation { try self.database.setSynchronous(durability) }
    }

    /// Takes the log into the file; false if a backup reads the database, so that a later call has to try again.
    ///
    /// The file then has a mark: it counts only with the log. The log takes the mark back, so the database has none for a
    /// program that reads both. An end takes that into the file.
    @discardableResult
    func takeLogIn(_ mode: CInt, waits: Bool = true) throws -> Bool {
        self.mark(true)
        do {
            guard try self.database.checkpoint(mode, waits: waits) else { return false }
        } catch let error as SQLiteError where error.primaryCode == SQLITE_BUSY {
            return false
        }
        self.mark(false)
        return true
    }

    /// Takes all of the log into the file, which has no mark then.
    func takeAllIn() throws {
        self.mark(false)
        try self.database.checkpoint(SQLITE_CHECKPOINT_TRUNCATE)
    }

    /// Marks the file in the log, or takes the mark back; a full disk must not keep the log from going into the file.
    private func mark(_ isOpen: Bool) {
        guard self.isMarked != isOpen, (try? self.database.mark(isOpen)) != nil else { return }
        self.isMarked = isOpen
    }

    /// The path of the log or its index, if that does not lead to it any more.
    var lostFile: String? { self.companions.first { !$0.isInPlace }?.path }

    private func orRollBack(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            if self.database.isInTransaction { try? self.statements.rollback.run() }
            throw error
        }
    }
}
