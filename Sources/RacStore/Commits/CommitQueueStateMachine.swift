package import RacProtocol

/// Decides which changes go into which transaction, and when a failed transaction is tried again.
///
/// Group commit: changes that arrive during a commit go into the next transaction together. A transaction whose rows
/// are being written still takes in changes for which a client waits. These are the rest of the tick that it began
/// with. On a slow disk they are also the next changes of clients that the last commit has answered, for which the
/// transaction waits a moment.
///
/// Changes for which no client waits gather for a twentieth of a second. So commits take little of the processor from the
/// event loop, and seldom come between a message and its answer.
///
/// The queue keeps the newest change of a channel only, and no removal of a channel that was never stored. So the number of
/// channels bounds its memory. The changes of a failed transaction join the queue again, and the next attempt follows after a
/// pause.
///
/// Semantics: protocol.md, "Durability".
package struct CommitQueueStateMachine: Sendable {
    /// The time for which unawaited changes gather: a commit costs the same for one of them as for many.
    package static let gatheringTime = Duration.milliseconds(50)
    /// The pause after a first failure; each further failure doubles it.
    package static let firstPause = Duration.milliseconds(100)
    /// The longest pause.
    package static let longestPause = Duration.seconds(2)
    /// The number of attempts that a closing store makes on a failing disk.
    package static let closingAttempts = 5
    /// The most parts of a transaction: the clients that it answers wait for all of its parts.
    package static let mostParts = 16

    private enum State {
        /// The queue is empty.
        case resting
        /// The queue holds unawaited changes only; a timer runs.
        case gathering
        /// The queue holds changes, and the thread is awake or will be.
        case woken
        /// The thread spins; `found` is true once awaited changes have come.
        case looking(found: Bool)
        case inTransaction(TransactionUnderWay)
        /// The last attempt failed; a timer runs, or the closing thread sleeps.
        case pausing
        /// The store is closed, so the queue takes nothing any more.
        case ended
    }

    private var state = State.resting
    private var gathered = Work.nothing
    /// Whether the thread checks the files next, although nothing is to be written.
    private var isCheckWanted = false
    /// Whether the last batch was a part of a tick that goes on.
    private var isFollowed = false
    private var rendezvous = Rendezvous()
    private let spins: Bool
    private var looks = Looks()
    /// The time that the last transaction took; nil if no client waited for it.
    private var lastAwaited: Duration?
    private var reserved: Revision
    /// The greatest channel that has been stored; a greater one is in the queue, or was removed.
    private var greatestStored: ChannelNumber
    /// The greatest channel that the transaction under way may store.
    private var greatestTaken: ChannelNumber
    private var greatestSubmitted: ChannelNumber
    /// The pause behind the next failure.
    private var pause = GrowingPause(from: Self.firstPause, upTo: Self.longestPause)
    /// The last failure that was reported; nil once a commit has succeeded.
    private var told: StoreEvent?
    /// The number of further attempts; nil unless the store is closing.
    private var attemptsLeft: Int?

    /// - Parameters:
    ///   - reserved: The last revision that is reserved already.
    ///   - greatest: The greatest channel that is stored already; by default it is unknown.
    ///   - batches: Whether the thread spins for the next batch, as on a machine with a core to spare.
    package init(reserved: Revision, greatest: ChannelNumber = .greatest, batches: BatchPolicy) {
        self.reserved = reserved
        self.greatestStored = greatest
        self.greatestTaken = greatest
        self.greatestSubmitted = greatest
        self.spins = batches.spins
    }

    /// Whether the thread should spin on.
    package var isLooking: Bool {
        switch self.state {
        case .looking(let found): !found
        case .inTransaction: self.isFollowed && !self.gathered.isAwaited
        case .resting, .gathering, .woken, .pausing, .ended: false
        }
    }

    /// A batch arrived; it replaces changes of the same channels that wait in the queue.
    package mutating func submitted(_ batch: StoreBatch) -> OnGathered {
        if case .ended = self.state { return .nothing }
        if self.gathered.changes.isEmpty { self.gathered.changes.reserveCapacity(batch.changes.count) }
        for change in batch.changes { self.gather(change) }
        self.gathered.ticket = batch.ticket
        if batch.isAwaited { self.gathered.isAwaited = true }
        self.isFollowed = batch.isFollowed
        return self.wake()
    }

    private mutating func gather(_ change: StoreChange) {
        self.greatestSubmitted = max(self.greatestSubmitted, change.number)
        self.gathered.changes[change.number] = change.isRemoval(beyond: self.greatestTaken) ? nil : change
    }

    /// The revisions in use have come near the end of the reserved block.
    package mutating func reservationWanted(through revision: Revision) -> OnGathered {
        if case .ended = self.state { return .nothing }
        guard revision > self.reserved, revision > self.gathered.reservation ?? .never else { return .nothing }
        self.gathered.reservation = revision
        self.gathered.isAwaited = true
        return self.wake()
    }

    /// The owner wants the files to be checked; each transaction checks them, too.
    package mutating func checkWanted() -> OnGathered {
        guard case .resting = self.state else { return .nothing }
        self.isCheckWanted = true
        self.state = .woken
        return .wake
    }

    /// The thread is ready: it was woken, has ended a transaction or a spin, or its pause is over.
    ///
    /// - Parameter longestPause: After a spin, the longest time for which other threads had the core.
    /// - Returns: The next action of the thread.
    package mutating func ready(longestPause: Duration = .zero) -> OnReady {
        switch self.state {
        case .resting, .inTransaction, .ended:
            return .rest
        case .woken where self.gathered.isEmpty && !self.isCheckWanted && self.looksForMore():
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
        if self.gathered.isEmpty && !self.isCheckWanted {
            self.state = .resting
            return .rest
        }
        guard self.attemptsLeft == nil else { return self.begin() }
        if !self.gathered.isEmpty, !self.gathered.isAwaited {
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
        let work = self.takeGathered()
        self.isCheckWanted = false
        self.state = .inTransaction(TransactionUnderWay(work))
        return work.isEmpty ? .check : .begin(work)
    }

    private mutating func takeGathered() -> Work {
        self.greatestTaken = self.greatestSubmitted
        defer { self.gathered = .nothing }
        return self.gathered
    }

    /// The thread has written the last work, or its wait for more is over.
    ///
    /// - Returns: The next action of the thread before the commit, or the commit.
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
        // A reservation is synced whatever the durability, so only the first part of a transaction may hold one.
        if self.gathered.isAwaited, self.gathered.reservation == nil, transaction.parts.count < Self.mostParts {
            let work = self.takeGathered()
            transaction.add(work)
            return .write(work)
        }
        if self.spins, self.isFollowed, transaction.looks() { return .look(Looks.time) }
        return .commit
    }

    /// The transaction under way is stored; its time does not count the waits for more.
    package mutating func committed(after time: Duration = .zero) -> [StoreEvent] {
        guard case .inTransaction(let transaction) = self.state else { return [] }
        self.lastAwaited = transaction.isAwaited ? time : nil
        if transaction.isAwaited {
            self.rendezvous.committed(transaction.changeCount, after: time, waiting: self.gathered.changes.count)
        }
        self.greatestStored = self.greatestTaken
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

    /// The transaction under way failed, and none of its changes is stored.
    package mutating func failed(_ reason: String) -> OnFailed {
        guard case .inTransaction(let transaction) = self.state else { return OnFailed(tell: nil, next: .giveUp) }
        let work = transaction.work
        self.gathered = work.followed(by: self.gathered)
        self.forgetRemovals()
        self.state = .pausing
        let event = StoreEvent.failing(reason, through: work.ticket ?? 0)
        let tell = event == self.told ? nil : event
        self.told = event
        return OnFailed(tell: tell, next: self.nextAttempt())
    }

    /// Keeps only removals of channels that are stored for certain.
    ///
    /// A failed transaction may have stored others all the same. The next one removes these first, and puts those that are
    /// still there.
    private mutating func forgetRemovals() {
        self.greatestTaken = self.greatestStored
        guard self.greatestStored < .greatest else { return }
        self.gathered.changes = self.gathered.changes.filter { !$0.value.isRemoval(beyond: self.greatestStored) }
        self.gathered.removesBeyond = self.greatestStored
    }

    /// The owner closes the store and submits nothing more.
    package mutating func closing() {
        guard self.attemptsLeft == nil else { return }
        self.attemptsLeft = Self.closingAttempts
        self.pause.reset()
        // No revision is given out any more.
        self.gathered.reservation = nil
        switch self.state {
        case .resting, .gathering, .looking: self.state = .woken
        case .woken, .inTransaction, .pausing, .ended: break
        }
    }

    /// The file is closed, so the queue drops its changes and takes no more.
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

extension StoreChange {
    /// Whether it removes a channel with a greater number.
    fileprivate func isRemoval(beyond greatest: ChannelNumber) -> Bool {
        if case .remove(let number) = self { number > greatest } else { false }
    }
}
