import Dispatch
import Glibc
package import Logging
package import RacProtocol
import Synchronization

/// The channels on the disk: a start reads them, and a thread writes their changes.
///
/// The daemon hands changes over with ``submit(_:)``, which never waits. The store's thread commits all changes in its queue
/// as one transaction, again and again, and reports each outcome as an event. A failing disk loses nothing: the store keeps
/// the newest change of each channel and tries again until the disk takes them.
///
/// Guards: the callers and the thread share `driver`, for a few lines at a time. The blocks on `queue` share `disk`; they run
/// one after the other, so its Mutex never waits. Everything else is constant.
///
/// Semantics: protocol.md, "Durability" and "Revisions".
package final class Store: Sendable {
    /// The number of revisions that a start reserves.
    package static let revisionBlock: UInt64 = 1_000_000

    /// The newest revision that an earlier start can have given out.
    package let revisionFloor: Revision
    /// The last revision of the first block: the host may give out those above the floor at once.
    package let reserved: Revision

    private struct Disk {
        let folder: DataFolder
        var file: StoreFile
        /// The lock of the folder; nil once the store is closed.
        var lock: FolderLock?
        /// The last failure of a transaction.
        var failure: StoreError?

        /// Refuses to go on if the files of the folder are others than the store has open; takes a lock that is gone again.
        mutating func check() throws(StoreError) {
            try self.file.checkFiles()
            guard let lock = self.lock, !lock.isInPlace else { return }
            self.lock = try FolderLock(self.folder)
        }

        /// Shows a backup whether changes wait for the disk.
        func showWaiting(_ isWaiting: Bool) {
            self.lock?.showWaiting(isWaiting)
        }
    }

    private let queue = DispatchQueue(label: "rac.store")
    /// Signalled when the changes have come for which a transaction waits; a signal too many does no harm.
    private let others = DispatchSemaphore(value: 0)
    private let driver: Mutex<CommitDriver>
    private let disk: Mutex<Disk>
    /// The zero of the driver's clock.
    private let opened = ContinuousClock.now
    private let path: String
    private let logger: Logger
    private let tell: @Sendable (StoreEvent) -> Void

    /// Opens a data folder or makes it, reads every channel, and reserves a first block of revisions.
    ///
    /// Isolation: any thread but that of an event loop, because it blocks while it reads.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder; it holds `rac.db`, and the lock that keeps a second racd out.
    ///   - durability: The faults that a committed change survives.
    ///   - batches: Whether the store's thread spins a moment for the next batch, as on a machine with a core to spare.
    ///   - logger: Gets a line when the store opens, fails, recovers and closes.
    ///   - tell: Gets the events, one after the other, on the store's thread; it must not block.
    ///   - load: Gets each channel, in no order, before this returns. If this throws, the channels are void.
    /// - Returns: The open store; ``close()`` ends it in order.
    /// - Throws: ``StoreError``; then the folder is free again, and no channel in it has changed.
    package static func open(
        folder: String,
        durability: Durability,
        batches: BatchPolicy,
        logger: Logger,
        tell: @escaping @Sendable (StoreEvent) -> Void,
        load: (StoredChannel) -> Void
    ) throws(StoreError) -> Store {
        try Store(folder, durability, batches, logger, tell, load)
    }

    private init(
        _ path: String,
        _ durability: Durability,
        _ batches: BatchPolicy,
        _ logger: Logger,
        _ tell: @escaping @Sendable (StoreEvent) -> Void,
        _ load: (StoredChannel) -> Void
    ) throws(StoreError) {
        let folder = DataFolder(path: path)
        try folder.make()
        let lock = try FolderLock(folder)
        if !folder.contains(folder.database) { try folder.makeDatabase(SQLiteConnection.makeStore) }
        try folder.checkLog()
        var file = try StoreFile(path: folder.database, durability: durability)
        if !folder.isLinked, try file.isMostlyFree, try file.compact(in: folder) {
            logger.info("store written anew without its free pages", metadata: ["file": "\(folder.database)"])
        }
        var greatest = ChannelNumber(0)
        let floor = try file.load {
            greatest = max(greatest, $0.number)
            load($0)
        }
        let reserved = Revision(floor.number + Self.revisionBlock)
        try file.begin(CommitQueueStateMachine.Work(reservation: reserved))
        try file.commit()
        try file.takeLogIn()
        self.revisionFloor = floor
        self.reserved = reserved
        self.driver = Mutex(CommitDriver(reserved: reserved, greatest: greatest, batches: batches))
        self.disk = Mutex(Disk(folder: folder, file: file, lock: lock))
        self.path = folder.database
        self.logger = logger
        self.tell = tell
        logger.info("store opened", metadata: ["file": "\(folder.database)", "durability": "\(durability)"])
    }

    /// Hands a batch over to be committed; ``StoreEvent/committed(through:)`` reports its commit.
    ///
    /// Isolation: any thread, also that of an event loop, because it never waits for the disk. The order of the calls is the
    /// order of the batches. After ``close()`` the store drops batches.
    ///
    /// - Parameter batch: The changes, with a greater ticket than all batches before.
    package func submit(_ batch: StoreBatch) {
        self.obey(self.driver.withLock { ($0.submitted(batch), $0.newestWake) })
    }

    /// Asks for revisions ahead of their use; ``StoreEvent/reserved(through:)`` reports that they are reserved.
    ///
    /// Isolation: any thread, also that of an event loop, because it never waits for the disk.
    ///
    /// - Parameter revision: The last revision wanted; nothing happens if it is reserved or asked for already.
    package func reserveRevisions(through revision: Revision) {
        self.obey(self.driver.withLock { ($0.reservationWanted(through: revision), $0.newestWake) })
    }

    /// Has the store check that its files are still in the folder; ``StoreEvent/failing(_:through:)`` reports that they are not.
    ///
    /// Isolation: any thread, also that of an event loop, because it never waits for the disk. Each commit checks the files, too.
    package func checkFiles() {
        self.obey(self.driver.withLock { ($0.checkWanted(), $0.newestWake) })
    }

    /// Commits all submitted changes, takes the write-ahead log into the file, closes it and frees the folder.
    ///
    /// Isolation: any task. On a failing disk it makes ``CommitQueueStateMachine/closingAttempts`` attempts, which take some
    /// seconds in all. A second call does nothing.
    ///
    /// - Throws: ``StoreError/unwritten(file:reason:)`` if changes are lost, or the whole file is. The folder is free then, too.
    package func close() async throws(StoreError) {
        let outcome: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            self.queue.async { continuation.resume(returning: self.finish()) }
        }
        try outcome.get()
    }
}

/// The blocks on `queue`.
extension Store {
    private func obey(_ order: (action: CommitQueueStateMachine.OnGathered, wake: UInt64)) {
        switch order.action {
        case .wake: self.queue.async { self.drain(by: order.wake) }
        case .wakeLater(let pause): self.drain(after: pause, by: order.wake)
        case .complete: self.others.signal()
        case .nothing: break
        }
    }

    private func drain(after pause: Duration, by wake: UInt64) {
        self.queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { self.drain(by: wake) }
    }

    private func drain(by wake: UInt64) {
        // If a wake has ended the pause already, its number is the newest one, and its block does the work first.
        if case .pause(let time) = self.takeSteps(by: wake) { self.drain(after: time, by: self.newestWake) }
    }

    private var newestWake: UInt64 { self.driver.withLock { $0.newestWake } }

    /// Takes the driver's steps until one says to rest.
    private func takeSteps(by wake: UInt64) -> CommitDriver.Rest {
        var step = self.driver.withLock { $0.woken(at: self.now, by: wake) }
        while true {
            switch step {
            case .begin(let work):
                step = self.attempt { disk throws(StoreError) in
                    try disk.check()
                    try disk.file.begin(work)
                }
            case .write(let work): step = self.attempt { disk throws(StoreError) in try disk.file.write(work) }
            case .commit:
                step = self.attempt { disk throws(StoreError) in
                    try disk.file.commit()
                    // A client is answered after this: its change is in a file that the next start finds.
                    try disk.check()
                }
            case .check: step = self.attempt { disk throws(StoreError) in try disk.check() }
            case .spin(let time):
                let longestPause = self.spin(for: time)
                step = self.driver.withLock { $0.done(at: self.now, longestPause: longestPause) }
            case .waitForOthers(let pause):
                _ = self.others.wait(timeout: .now() + pause / .seconds(1))
                step = self.driver.withLock { $0.done(at: self.now) }
            case .report(let events):
                for event in events { self.report(event) }
                step = self.driver.withLock { $0.done(at: self.now) }
            case .rest(let rest): return rest
            }
        }
    }

    /// Takes a step on the disk; returns the next step.
    private func attempt(_ body: (inout Disk) throws(StoreError) -> Void) -> CommitDriver.Step {
        do throws(StoreError) {
            try self.disk.withLock { disk throws(StoreError) in try body(&disk) }
            return self.driver.withLock { $0.done(at: self.now) }
        } catch {
            self.disk.withLock { $0.failure = error }
            return self.driver.withLock { $0.failed(error.description) }
        }
    }

    /// Spins until a batch comes or the time is over; returns the longest time for which other threads had the core.
    ///
    /// The event loop may have been woken on the same core, so the thread yields the core between any two looks.
    private func spin(for time: Duration) -> Duration {
        let start = ContinuousClock.now
        var last = start
        var longestPause = Duration.zero
        while last - start < time, self.driver.withLock({ $0.isLooking }) {
            sched_yield()
            let now = ContinuousClock.now
            longestPause = max(longestPause, now - last)
            last = now
        }
        return longestPause
    }

    private var now: Duration { ContinuousClock.now - self.opened }

    private func finish() -> Result<Void, StoreError> {
        self.driver.withLock { $0.closing() }
        let isStored = self.storeAll()
        self.driver.withLock { $0.closed() }
        let outcome = Result { () throws(StoreError) in
            try self.disk.withLock { disk throws(StoreError) in
                defer { disk.lock = nil }
                try disk.file.close()
            }
        }
        self.logger.info("store closed", metadata: ["file": "\(self.path)"])
        guard isStored else { return .failure(.unwritten(file: self.path, reason: self.lastFailure)) }
        return outcome
    }

    /// Stores all submitted changes; false if the disk takes them in no attempt.
    private func storeAll() -> Bool {
        while true {
            switch self.takeSteps(by: self.newestWake) {
            case .untilWoken: return true
            case .pause(let time): usleep(UInt32(time / .microseconds(1)))
            case .givenUp: return false
            }
        }
    }

    private var lastFailure: String { self.disk.withLock { $0.failure?.reason ?? "" } }

    private func report(_ event: StoreEvent) {
        switch event {
        case .failing(let reason, _):
            self.disk.withLock { $0.showWaiting(true) }
            self.logger.error("changes cannot be stored and wait in memory", metadata: ["reason": "\(reason)"])
        case .recovered:
            self.disk.withLock { $0.showWaiting(false) }
            self.logger.notice("changes are stored again", metadata: ["file": "\(self.path)"])
        case .committed, .reserved:
            break
        }
        self.tell(event)
    }
}
