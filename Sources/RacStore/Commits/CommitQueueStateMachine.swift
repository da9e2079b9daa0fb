package import RacProtocol

/// What waits for the disk, what is on its way there, and when to try again.
///
/// Whatever gathers while one transaction is under way goes into the next one: that is the group commit. On a slow disk it
/// waits a moment for those whom the last one has answered. What nobody waits for gathers for a twentieth of a second, so
/// that commits take little of the processor from the event loop and seldom come between a message and its answer. Of a
/// channel only the newest change is kept, so what waits is bounded by the number of channels. A transaction that fails
/// joins what has gathered since, and is tried again after a pause.
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

    /// What one transaction holds.
    package struct Work: Equatable, Sendable {
        /// The newest change of each channel that changed.
        package var changes: [ChannelNumber: StoreChange] = [:]
        /// The newest of the batches that it takes in; nil if there is none.
        package var ticket: UInt64?
        /// The revisions to reserve.
        package var reservation: Revision?
        /// Whether somebody waits for it.
        package var isAwaited: Bool

        package init(
            changes: [ChannelNumber: StoreChange] = [:],
            ticket: UInt64? = nil,
            reservation: Revision? = nil,
            isAwaited: Bool = true
        ) {
            self.changes = changes
            self.ticket = ticket
            self.reservation = reservation
            self.isAwaited = isAwaited
        }

        static let nothing = Work(isAwaited: false)

        var isEmpty: Bool { self.ticket == nil && self.reservation == nil }

        /// This with what came after it.
        func followed(by newer: Work) -> Work {
            Work(
                changes: self.changes.merging(newer.changes) { _, newer in newer },
                ticket: newer.ticket ?? self.ticket,
                reservation: newer.reservation ?? self.reservation,
                isAwaited: self.isAwaited || newer.isAwaited
            )
        }
    }

    package enum OnGathered: Equatable {
        case wake
        case wakeLater(after: Duration)
        /// Those have come for whom the thread waits.
        case complete
        case nothing
    }

    package enum OnReady: Equatable {
        case commit(Work)
        case rest
        case restUntil(after: Duration)
        /// Wait for others to come along, so long at most, and come back.
        case waitForOthers(Duration)
        /// Look for more, so long at most and while ``isLooking``, and come back.
        case look(Duration)
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
        /// Something waits, and the thread for others to come along.
        case meeting
        /// The thread looks for more, and this is whether something has come that somebody waits for.
        case looking(found: Bool)
        /// This is being written.
        case committing(Work)
        /// The last attempt failed; a timer runs, or the closing thread waits.
        case pausing
        /// Nothing is taken any more.
        case ended
    }

    private var state = State.resting
    private var gathered = Work.nothing
    private var rendezvous = Rendezvous()
    private let waitsAwake: Bool
    private var looks = Looks()
    /// How long the last transaction took; nil if nobody waited for it.
    private var lastAwaited: Duration?
    private var reserved: Revision
    /// Attempts that failed since the last one that did not, or since closing began.
    private var failures = 0
    /// The failure that was told last; nil once it is over.
    private var told: StoreEvent?
    /// How many more may fail; nil unless the store is closing.
    private var attemptsLeft: Int?

    /// - Parameters:
    ///   - reserved: Revisions up to this one are reserved.
    ///   - waitsAwake: Whether the thread looks for more when it is done, as on a machine with cores for that.
    package init(reserved: Revision, waitsAwake: Bool) {
        self.reserved = reserved
        self.waitsAwake = waitsAwake
    }

    /// Whether the thread is to look on.
    package var isLooking: Bool { if case .looking(found: false) = self.state { true } else { false } }

    /// A tick's changes arrived; what waits for the same channels is outdated.
    package mutating func submitted(_ batch: StoreBatch) -> OnGathered {
        if case .ended = self.state { return .nothing }
        if self.gathered.changes.isEmpty { self.gathered.changes.reserveCapacity(batch.changes.count) }
        for change in batch.changes { self.gathered.changes[change.number] = change }
        self.gathered.ticket = batch.ticket
        if batch.isAwaited { self.gathered.isAwaited = true }
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
        case .resting, .committing, .ended:
            return .rest
        case .woken where self.gathered.isEmpty && self.looksForMore():
            self.state = .looking(found: false)
            return .look(Looks.time)
        case .looking(let found):
            self.looks.ended(found: found, longestPause: longestPause)
            return self.goOn()
        case .woken:
            return self.goOn()
        case .meeting, .gathering, .pausing:
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
        if let wait = self.rendezvous.wait(with: self.gathered.changes.count) {
            self.state = .meeting
            return .waitForOthers(wait)
        }
        return self.begin()
    }

    private mutating func looksForMore() -> Bool {
        guard self.waitsAwake, self.attemptsLeft == nil, let time = self.lastAwaited else { return false }
        return self.looks.begins(after: time)
    }

    private mutating func begin() -> OnReady {
        let work = self.gathered
        self.rendezvous.began(with: work.changes.count)
        self.gathered = .nothing
        self.state = .committing(work)
        return .commit(work)
    }

    /// The transaction under way is stored, which took so long.
    package mutating func committed(after time: Duration = .zero) -> [StoreEvent] {
        guard case .committing(let work) = self.state else { return [] }
        self.lastAwaited = work.isAwaited ? time : nil
        if work.isAwaited {
            self.rendezvous.committed(work.changes.count, after: time, waiting: self.gathered.changes.count)
        }
        var events: [StoreEvent] = self.told == nil ? [] : [.recovered]
        if let ticket = work.ticket { events.append(.committed(through: ticket)) }
        if let reservation = work.reservation {
            self.reserved = reservation
            events.append(.reserved(through: reservation))
        }
        self.failures = 0
        self.told = nil
        self.state = .woken
        return events
    }

    /// The transaction under way is not stored, nothing of it.
    package mutating func failed(_ reason: String) -> OnFailed {
        guard case .committing(let work) = self.state else { return OnFailed(tell: nil, next: .giveUp) }
        self.gathered = work.followed(by: self.gathered)
        self.failures += 1
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
        self.failures = 0
        // Nobody will use them.
        self.gathered.reservation = nil
        switch self.state {
        case .resting, .gathering, .meeting, .looking: self.state = .woken
        case .woken, .committing, .pausing, .ended: break
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
        case .meeting:
            guard self.rendezvous.wait(with: self.gathered.changes.count) == nil else { return .nothing }
            self.state = .woken
            return .complete
        case .woken, .committing, .pausing, .ended:
            return .nothing
        }
    }

    private mutating func nextAttempt() -> OnFailed.Next {
        if let attemptsLeft = self.attemptsLeft {
            guard attemptsLeft > 1 else { return .giveUp }
            self.attemptsLeft = attemptsLeft - 1
        }
        let doublings = min(self.failures - 1, 8)
        return .retry(after: min(Self.firstPause * (1 << doublings), Self.longestPause))
    }
}
