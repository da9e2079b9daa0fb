import CSQLite
import Glibc
import RacProtocol

/// The open database, which a start reads and each transaction writes.
struct StoreFile: Sendable {
    let path: String
    private let durability: Durability
    /// The open connection; nil after a failure from which SQLite recovers in a new connection only.
    private var connection: StoreConnection?
    /// The file of the connection, and of those that follow it.
    private var held: HeldFile?

    /// Opens the file, checks it and brings it to the present version.
    init(path: String, durability: Durability) throws(StoreError) {
        self.path = path
        self.durability = durability
        try self.open()
    }

    /// Opens the file, checks it and brings it to the present version.
    mutating func open() throws(StoreError) {
        let path = self.path
        let database = try SQLiteConnection.openStore(at: path, durability: self.durability)
        self.held = HeldFile(path: path)
        self.connection = try StoreError.translating(path) {
            try Self.check(database, path: path)
            try StoreSchema.migrate(database)
            try StoreSchema.restoreBackup(database)
            WriteAheadLog(of: database)?.extend()
            return try StoreConnection(database)
        }
    }

    /// The connection to the file, if it is open.
    var openDatabase: SQLiteConnection? { self.connection?.database }

    /// Passes every channel to `body`; returns the end of the newest reserved block.
    func load(_ body: (StoredChannel) -> Void) throws(StoreError) -> Revision {
        guard let database = self.connection?.database else { return .never }
        return try StoreError.translating(self.path) {
            let reserved = try Self.reserved(database)
            var names = Set<ChannelName>()
            let count = try database.values(of: "SELECT count(*) FROM channel") { try $0.integer() }
            names.reserveCapacity(Int(count.first ?? 0))
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

    /// Begins a transaction and writes work to it; nothing of the transaction is stored when this or a later step throws.
    mutating func begin(_ work: CommitQueueStateMachine.Work) throws(StoreError) {
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

    /// Takes the write-ahead log into the file, as far as a backup lets it.
    mutating func takeLogIn() throws(StoreError) {
        try self.attempt { try $0.takeLogIn(SQLITE_CHECKPOINT_PASSIVE) }
    }

    /// Takes the write-ahead log into the file and closes it.
    mutating func close() throws(StoreError) {
        guard let connection = self.connection else { return }
        self.connection = nil
        let isInPlace = self.isInPlace
        try StoreError.translating(self.path) {
            try connection.database.setSynchronous(.full)
            do {
                try connection.takeAllIn()
                // SQLite removes the log by its path, at which the log of another file may be.
                if isInPlace { try connection.database.keepLog(false) }
            } catch let error as SQLiteError where [SQLITE_BUSY, SQLITE_FULL].contains(error.primaryCode) {
                // A backup reads the database, or it has no room: the log is synced and stays, and the next start reads it.
            }
        }
        guard isInPlace else { throw .unwritten(file: self.path, reason: StoreError.replaced(file: self.path).reason) }
    }

    private var isInPlace: Bool { self.held?.isInPlace ?? false }

    /// Refuses to go on with files that a start would not find.
    ///
    /// Without its log or index the file takes the log in, and gets other ones from a new connection.
    mutating func checkFiles() throws(StoreError) {
        guard self.isInPlace else { throw .replaced(file: self.path) }
        if let connection = self.connection, let lost = connection.lostFile {
            guard access(lost, F_OK) != 0 else { throw .replaced(file: lost) }
            try StoreError.translating(self.path) {
                try connection.database.setSynchronous(.full)
                try connection.takeAllIn()
            }
            self.connection = nil
        }
        if self.connection == nil { self.connection = try self.reopened() }
    }
}

extension StoreFile {
    /// Takes a step with the open connection; a failure that spoils the connection closes it.
    private mutating func attempt(_ body: (StoreConnection) throws -> Void) throws(StoreError) {
        guard let connection = self.connection else { return }
        var isSound = true
        do throws(StoreError) {
            try StoreError.translating(self.path) {
                do {
                    try body(connection)
                } catch let error as SQLiteError {
                    isSound = error.leavesConnectionSound
                    throw error
                }
            }
        } catch {
            if !isSound { self.connection = nil }
            throw error
        }
    }

    private func reopened() throws(StoreError) -> StoreConnection {
        let database = try SQLiteConnection.openStore(at: self.path, durability: self.durability)
        return try StoreError.translating(self.path) {
            // A failed sync leaves a whole transaction in the log, which counts again after opening. The next attempt finds
            // its rows unchanged and writes nothing, so it would be reported as stored without a sync. The kernel may also
            // have given up on the bytes of the log, and a later sync of the log does not write them either. So the log
            // goes into the file here, with a sync of its own. If a backup reads it, its bytes are written again instead.
            let connection = try StoreConnection(database)
            try database.setSynchronous(.full)
            if try !connection.takeLogIn(SQLITE_CHECKPOINT_TRUNCATE) { try WriteAheadLog(of: database)?.writeAgain() }
            try database.setSynchronous(self.durability)
            return connection
        }
    }

    /// Refuses a file that is damaged or newer than this code; `path` is the file to blame.
    static func check(_ database: SQLiteConnection, path: String) throws {
        let faults = try database.values(of: "PRAGMA quick_check(1)") { try $0.text() }
        if let fault = faults.first, fault != "ok" { throw StoreError.damaged(file: path, reason: fault) }
        try StoreSchema.check(database, path: path)
    }

    private static func reserved(_ database: SQLiteConnection) throws -> Revision {
        let numbers = try database.values(of: "SELECT reserved FROM revision_block") { try $0.integer() }
        // Half of all revisions is enough: a thousand changes a microsecond take more than a century to get there.
        guard let number = numbers.first, (0...Int64.max / 2).contains(number) else {
            throw RowDamage(reason: "no usable block of revisions")
        }
        return Revision(UInt64(number))
    }
}
