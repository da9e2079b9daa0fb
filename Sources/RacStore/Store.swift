import Dispatch
import Foundation
package import Logging
package import RacProtocol
import Synchronization

/// The channels on the disk: read at the start, written behind the daemon's back.
///
/// Changes are handed over with ``submit(_:)``, which never waits. A thread of the store's own commits whatever has
/// gathered as one transaction, again and again, and tells how that went in events. A disk that fails loses nothing: what
/// could not be written is kept, conflated, and tried again until it can.
///
/// What guards what: `driver` is shared by the callers and the thread, for a few lines at a time. `disk` belongs to the
/// blocks on `queue`, which run one after the other; its Mutex is never waited for. Everything else does not change.
///
/// Semantics: protocol.md, "Durability" and "Revisions".
package final class Store: Sendable {
    /// How many revisions are reserved at a time.
    package static let revisionBlock: UInt64 = 1_000_000

    /// No revision above this one was ever given out before this start.
    package let revisionFloor: Revision
    /// Revisions above the floor up to this one may be given out, from the start.
    package let reserved: Revision

    private struct Disk: ~Copyable {
        var file: StoreFile
        /// Nil once closed.
        var lock: FolderLock?
        /// The last failure of a transaction.
        var failure: StoreError?
    }

    private let queue = DispatchQueue(label: "rac.store")
    /// Signalled when those have come for whom a transaction waits; once too often does no harm.
    private let others = DispatchSemaphore(value: 0)
    private let driver: Mutex<CommitDriver>
    private let disk: Mutex<Disk>
    /// The zero of the driver's clock.
    private let opened = ContinuousClock.now
    private let path: String
    private let logger: Logger
    private let tell: @Sendable (StoreEvent) -> Void

    /// Opens a data folder, makes it if it is not there, reads every channel and reserves a first block of revisions.
    ///
    /// Isolation: blocks while it reads, so not on an event loop.
    ///
    /// - Parameters:
    ///   - folder: The path of the folder; `rac.db` is in it, and the lock that keeps a second racd out.
    ///   - durability: What a committed change survives.
    ///   - batches: Whether the store's thread spins a moment for the next batch, as on a machine with a core to spare.
    ///   - logger: Where the store says that it opened, failed, recovered and closed.
    ///   - tell: Gets the events, one after the other on the store's thread, so it must not block.
    ///   - load: Gets each channel, in no order, before this returns. What it got counts for nothing if this throws.
    /// - Returns: The open store; ``close()`` is its orderly end.
    /// - Throws: ``StoreError``; the folder is then free again, and no channel in it has changed.
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
        var file = try StoreFile(path: folder.database, durability: durability)
        let floor = try file.load(load)
        let reserved = Revision(floor.number + Self.revisionBlock)
        try file.begin(CommitQueueStateMachine.Work(reservation: reserved))
        try file.commit()
        self.revisionFloor = floor
        self.reserved = reserved
        self.driver = Mutex(CommitDriver(reserved: reserved, batches: batches))
        self.disk = Mutex(Disk(file: file, lock: lock))
        self.path = folder.database
        self.logger = logger
        self.tell = tell
        logger.info("Store opened", metadata: ["file": "\(folder.database)", "durability": "\(durability)"])
    }

    /// Hands changes over to be committed; ``StoreEvent/committed(through:)`` tells when they are.
    ///
    /// Isolation: any thread, an event loop too: it never waits for the disk. Batches count in the order of the calls.
    /// After ``close()`` nothing is stored any more.
    ///
    /// - Parameter batch: The changes, with a ticket greater than all before.
    package func submit(_ batch: StoreBatch) {
        self.obey(self.driver.withLock { $0.submitted(batch) })
    }

    /// Asks for revisions ahead of their use; ``StoreEvent/reserved(through:)`` tells when they may be given out.
    ///
    /// Isolation: any thread, an event loop too: it never waits for the disk.
    ///
    /// - Parameter revision: The last one wanted; nothing happens if it is reserved or asked for already.
    package func reserveRevisions(through revision: Revision) {
        self.obey(self.driver.withLock { $0.reservationWanted(through: revision) })
    }

    /// Commits what was submitted, takes the write-ahead log into the file, closes it and frees the folder.
    ///
    /// Isolation: any task. On a failing disk it tries ``CommitQueueStateMachine/closingAttempts`` times, some seconds in
    /// all. Closing again does nothing.
    ///
    /// - Throws: ``StoreError/unwritten(file:reason:)`` if something is lost. The folder is free then, too.
    package func close() async throws(StoreError) {
        let outcome: Result<Void, StoreError> = await withCheckedContinuation { continuation in
            self.queue.async { continuation.resume(returning: self.finish()) }
        }
        try outcome.get()
    }
}

/// The blocks on `queue`.
extension Store {
    private func obey(_ action: CommitQueueStateMachine.OnGathered) {
        switch action {
        case .wake: self.queue.async { self.drain() }
        case .wakeLater(let pause): self.drain(after: pause)
        case .complete: self.others.signal()
        case .nothing: break
        }
    }

    private func drain(after pause: Duration) {
        self.queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { self.drain() }
    }

    private func drain() {
        if case .pause(let time) = self.takeSteps() { self.drain(after: time) }
    }

    /// Takes the driver's steps until one says to rest.
    private func takeSteps() -> CommitDriver.Rest {
        var step = self.driver.withLock { $0.woken(at: self.now) }
        while true {
            switch step {
            case .begin(let work): step = self.attempt { file throws(StoreError) in try file.begin(work) }
            case .write(let work): step = self.attempt { file throws(StoreError) in try file.write(work) }
            case .commit: step = self.attempt { file throws(StoreError) in try file.commit() }
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
    private func attempt(_ body: (inout StoreFile) throws(StoreError) -> Void) -> CommitDriver.Step {
        do throws(StoreError) {
            try self.disk.withLock { disk throws(StoreError) in try body(&disk.file) }
            return self.driver.withLock { $0.done(at: self.now) }
        } catch {
            self.disk.withLock { $0.failure = error }
            return self.driver.withLock { $0.failed(error.description) }
        }
    }

    /// Spins until a batch comes or the time is over; returns the longest time for which other threads had the core.
    ///
    /// The event loop may have been woken on the same core, so the thread yields it between any two looks.
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
        self.logger.info("Store closed", metadata: ["file": "\(self.path)"])
        guard isStored else { return .failure(.unwritten(file: self.path, reason: self.lastFailure)) }
        return outcome
    }

    /// Stores all that was submitted; false if the disk takes it in no attempt.
    private func storeAll() -> Bool {
        while true {
            switch self.takeSteps() {
            case .untilWoken: return true
            case .pause(let time): Thread.sleep(forTimeInterval: time / .seconds(1))
            case .givenUp: return false
            }
        }
    }

    private var lastFailure: String { self.disk.withLock { $0.failure?.reason ?? "" } }

    private func report(_ event: StoreEvent) {
        switch event {
        case .failing(let reason, _):
            self.logger.error("Changes cannot be stored and wait in memory", metadata: ["reason": "\(reason)"])
        case .recovered:
            self.logger.notice("Changes are stored again", metadata: ["file": "\(self.path)"])
        case .committed, .reserved:
            break
        }
        self.tell(event)
    }
}
