package import RacProtocol

/// What waits for the disk, what is on its way there, and when to try again.
///
/// Whatever gathers while one transaction is being committed goes into the next one: that is the group commit. While its
/// rows are being written, it takes in what comes for somebody who waits: the rest of the tick that it began with and, on a
/// slow disk, those whom the last one has answered, for which it waits a moment. What nobody waits for gathers for a
/// twentieth of a second, so that commits take little of the processor from the event loop and seldom come between a message
/// and its answer. Of a channel only the newest change is kept, so what waits is bounded by the number of channels. A
/// transaction that fails joins what has gathered since, and is tried again after a pause.
///
/// Semantics: protocol.md, "Durability".
package struct CommitQueueStateMachine: Sendable {
    /// How long changes gather that nobody waits for: a commit costs the same for one of them as for many.
    package static let gatheringTime = Duration.milliseconds(50)
    /// The pause after a first failure; each further one doubles it.
    package static let firstPause = Duration.milliseconds(100)
    /// The longest pause.
    package static let longestPause = Duration.seconds(2)
    /// How often a closing store tries what fails.
    package static let closingAttempts = 5
    /// How many parts a transaction has at most: those whom it answers wait for all of them.
    package static let mostParts = 16

    package enum OnGathered: Equatable {
        case wake
        case wakeLater(after: Duration)
        /// Those have come for whom the thread waits.
        case complete
        case nothing
    }

    package enum OnReady: Equatable {
        /// Begin a transaction with this, and ask ``written()`` before it is committed.
        case begin(Work)
        case rest
        case restUntil(after: Duration)
        /// Look for more, so long at most and while ``isLooking``, and come back.
        case look(Duration)
    }

    package enum OnWritten: Equatable {
        /// Write this to the same transaction, and come back.
        case write(Work)
        /// Look for more, so long at most and while ``isLooking``, and come back.
        case look(Duration)
        /// Wait for others to come along, so long at most, and come back.
        case waitForOthers(Duration)
        case commit
    }

    package struct OnFailed: Equatable {
        package enum Next: Equatable {
            case retry(after: Duration)
            case giveUp
        }

        package var tell: StoreEvent?
        package var next: Next
    }

    private enum State {
        /// Nothing waits.
        case resting
        /// Something waits that nobody waits for; a timer runs.
        case gathering
        /// Something waits and the thread knows.
        case woken
        /// The thread looks for more, and this is whether something has come that somebody waits for.
        case looking(found: Bool)
        case inTransaction(TransactionUnderWay)
        /// The last attempt failed; a timer runs, or the closing thread waits.
        case pausing
        /// Nothing is taken any more.
        case ended
    }

    private var state = State.resting
    private var gathered = Work.nothing
    /// Whether the rest of a tick is about to come.
    private var isFollowed = false
    private var rendezvous = Rendezvous()
    private let spins: Bool
    private var looks = Looks()
    /// How long the last transaction took; nil if nobody waited for it.
    private var lastAwaited: Duration?
    private var reserved: Revision
    /// The pause behind the next failure.
    private var pause = GrowingPause(from: Self.firstPause, upTo: Self.longestPause)
    /// The failure that was told last; nil once it is over.
    private var told: StoreEvent?
    /// How many more may fail; nil unless the store is closing.
    private var attemptsLeft: Int?

    /// - Parameters:
    ///   - reserved: Revisions up to this one are reserved.
    ///   - batches: Whether the thread spins for the next batch, as on a machine with a core to spare.
    package init(reserved: Revision, batches: BatchPolicy) {
        self.reserved = reserved
        self.spins = batches.spins
    }

    /// Whether the thread is to look on.
    package var isLooking: Bool {
        switch self.state {
        case .looking(let found): !found
        case .inTransaction: self.isFollowed && !self.gathered.isAwaited
        case .resting, .gathering, .woken, .pausing, .ended: false
        }
    }

    /// A tick's changes, or a part of them, arrived; what waits for the same channels is outdated.
    package mutating func submitted(_ batch: StoreBatch) -> OnGathered {
        if case .ended = self.state { return .nothing }
        if self.gathered.changes.isEmpty { self.gathered.changes.reserveCapacity(batch.changes.count) }
        for change in batch.changes { self.gathered.changes[change.number] = change }
        self.gathered.ticket = batch.ticket
        if batch.isAwaited { self.gathered.isAwaited = true }
        self.isFollowed = batch.isFollowed
        return self.wake()
    }

    /// The revisions in use come near the end of the reserved block.
    package mutating func reservationWanted(through revision: Revision) -> OnGathered {
        if case .ended = self.state { return .nothing }
        guard revision > self.reserved, revision > self.gathered.reservation ?? .none else { return .nothing }
        self.gathered.reservation = revision
        self.gathered.isAwaited = true
        return self.wake()
    }

    /// The thread is there: because it was woken, because it is done with a transaction or has looked for more, or because a
    /// pause is over.
    ///
    /// - Parameter longestPause: Behind a look: for how long at a time others had its core.
    /// - Returns: What the thread is to do.
    package mutating func ready(longestPause: Duration = .zero) -> OnReady {
        switch self.state {
        case .resting, .inTransaction, .ended:
            return .rest
        case .woken where self.gathered.isEmpty && self.looksForMore():
            self.state = .looking(found: false)
            return .look(Looks.time)
        case .looking(let found):
            self.looks.ended(found: found, longestPause: longestPause)
            return self.goOn()
        case .woken:
            return self.goOn()
        case .gathering, .pausing:
            return self.begin()
        }
    }

    private mutating func goOn() -> OnReady {
        if self.gathered.isEmpty {
            self.state = .resting
            return .rest
        }
        guard self.attemptsLeft == nil else { return self.begin() }
        if !self.gathered.isAwaited {
            self.state = .gathering
            return .restUntil(after: Self.gatheringTime)
        }
        return self.begin()
    }

    private mutating func looksForMore() -> Bool {
        guard self.spins, self.attemptsLeft == nil, let time = self.lastAwaited else { return false }
        return self.looks.begins(after: time)
    }

    private mutating func begin() -> OnReady {
        let work = self.gathered
        self.gathered = .nothing
        self.state = .inTransaction(TransactionUnderWay(work))
        return .begin(work)
    }

    /// The thread has written what it was given last, or what it waited for has come or not.
    ///
    /// - Returns: What it is to do before the transaction is committed.
    package mutating func written() -> OnWritten {
        guard case .inTransaction(var transaction) = self.state else { return .commit }
        let next = self.attemptsLeft == nil ? self.next(of: &transaction) : .commit
        if next == .commit {
            transaction.closes()
            self.rendezvous.began(with: transaction.changeCount)
        }
        self.state = .inTransaction(transaction)
        return next
    }

    private mutating func next(of transaction: inout TransactionUnderWay) -> OnWritten {
        let count = transaction.changeCount + self.gathered.changes.count
        if let wait = self.rendezvous.wait(with: count), transaction.meets() { return .waitForOthers(wait) }
        // A reservation is synced whatever the durability, so a transaction has it from its beginning or not at all.
        if self.gathered.isAwaited, self.gathered.reservation == nil, transaction.parts.count < Self.mostParts {
            let work = self.gathered
            self.gathered = .nothing
            transaction.add(work)
            return .write(work)
        }
        if self.spins, self.isFollowed, transaction.looks() { return .look(Looks.time) }
        return .commit
    }

    /// The transaction under way is stored, which took so long without the waits.
    package mutating func committed(after time: Duration = .zero) -> [StoreEvent] {
        guard case .inTransaction(let transaction) = self.state else { return [] }
        self.lastAwaited = transaction.isAwaited ? time : nil
        if transaction.isAwaited {
            self.rendezvous.committed(transaction.changeCount, after: time, waiting: self.gathered.changes.count)
        }
        var events: [StoreEvent] = self.told == nil ? [] : [.recovered]
        if let ticket = transaction.ticket { events.append(.committed(through: ticket)) }
        if let reservation = transaction.reservation {
            self.reserved = reservation
            events.append(.reserved(through: reservation))
        }
        self.pause.reset()
        self.told = nil
        self.state = .woken
        return events
    }

    /// The transaction under way is not stored, nothing of it.
    package mutating func failed(_ reason: String) -> OnFailed {
        guard case .inTransaction(let transaction) = self.state else { return OnFailed(tell: nil, next: .giveUp) }
        let work = transaction.work
        self.gathered = work.followed(by: self.gathered)
        self.state = .pausing
        let event = StoreEvent.failing(reason, through: work.ticket ?? 0)
        let tell = event == self.told ? nil : event
        self.told = event
        return OnFailed(tell: tell, next: self.nextAttempt())
    }

    /// The owner wants no more than what it has submitted.
    package mutating func closing() {
        guard self.attemptsLeft == nil else { return }
        self.attemptsLeft = Self.closingAttempts
        self.pause.reset()
        // Nobody will use them.
        self.gathered.reservation = nil
        switch self.state {
        case .resting, .gathering, .looking: self.state = .woken
        case .woken, .inTransaction, .pausing, .ended: break
        }
    }

    /// The file is closed; what comes now is too late.
    package mutating func closed() {
        self.gathered = .nothing
        self.state = .ended
    }

    private mutating func wake() -> OnGathered {
        switch self.state {
        case .resting where !self.gathered.isAwaited:
            self.state = .gathering
            return .wakeLater(after: Self.gatheringTime)
        case .resting, .gathering:
            guard self.gathered.isAwaited else { return .nothing }
            self.state = .woken
            return .wake
        case .looking:
            if self.gathered.isAwaited { self.state = .looking(found: true) }
            return .nothing
        case .inTransaction(var transaction):
            guard self.gathered.isAwaited, transaction.met() else { return .nothing }
            let count = transaction.changeCount + self.gathered.changes.count
            guard self.rendezvous.wait(with: count) == nil else { return .nothing }
            self.state = .inTransaction(transaction)
            return .complete
        case .woken, .pausing, .ended:
            return .nothing
        }
    }

    private mutating func nextAttempt() -> OnFailed.Next {
        if let attemptsLeft = self.attemptsLeft {
            guard attemptsLeft > 1 else { return .giveUp }
            self.attemptsLeft = attemptsLeft - 1
        }
        return .retry(after: self.pause.grow())
    }
}
