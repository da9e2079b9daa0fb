package import RacProtocol

/// The order of a commit: begin, rows, waits, commit, report, and the pause behind a failure.
///
/// ``CommitQueueStateMachine`` decides what a transaction takes in, and the driver turns its answers into one step after the
/// other. The store's thread takes the steps with a file and a clock; the simulator takes the same steps in virtual time.
/// The thread that takes them calls ``done(at:longestPause:)`` or ``failed(_:)`` after each step, until a step says to rest.
///
/// Times are durations since any moment, by a clock that never goes back.
///
/// Semantics: protocol.md, "Durability".
package struct CommitDriver: Sendable {
    package typealias Work = CommitQueueStateMachine.Work

    /// The next thing for the thread to do.
    package enum Step: Equatable {
        /// Begin a transaction and write this to it.
        case begin(Work)
        /// Write this to the transaction under way.
        case write(Work)
        /// Spin for at most this long, while ``CommitDriver/isLooking``.
        case spin(Duration)
        /// Sleep for at most this long, or until a call returns ``CommitQueueStateMachine/OnGathered/complete``.
        case waitForOthers(Duration)
        /// Commit the transaction under way.
        case commit
        /// Check that the files of the store are in their place.
        case check
        /// Report these events to the owner, in their order.
        case report([StoreEvent])
        /// Take no further step for now.
        case rest(Rest)
    }

    /// The time for which the thread takes no step.
    package enum Rest: Equatable, Sendable {
        /// Until a call returns ``CommitQueueStateMachine/OnGathered/wake``.
        case untilWoken
        /// Until this time is over.
        case pause(Duration)
        /// For good: the store closes, and the disk took nothing in all attempts.
        case givenUp
    }

    private enum State {
        /// No transaction is under way; the thread rests, or spins behind a commit.
        case idle
        case writing
        case waiting(since: Duration)
        case committing
        /// The owner hears of a commit, or of a failure that the step follows.
        case reporting(then: Step?)
    }

    /// The number of the newest wake, or of the newest pause.
    ///
    /// A wake that comes late, or the timer of an earlier pause, must not end the pause behind a failure.
    package private(set) var newestWake: UInt64 = 0

    private var queue: CommitQueueStateMachine
    private var state = State.idle
    /// When the transaction under way began.
    private var began = Duration.zero
    /// The time for which the transaction under way has waited for more changes.
    private var waited = Duration.zero

    /// Makes a driver; see ``CommitQueueStateMachine/init(reserved:greatest:batches:)``.
    package init(reserved: Revision, greatest: ChannelNumber = .greatest, batches: BatchPolicy) {
        self.queue = CommitQueueStateMachine(reserved: reserved, greatest: greatest, batches: batches)
    }
}

/// Calls of the owner, on any thread.
extension CommitDriver {
    /// Takes a batch into the queue; see ``CommitQueueStateMachine/submitted(_:)``.
    package mutating func submitted(_ batch: StoreBatch) -> CommitQueueStateMachine.OnGathered {
        self.numbered(self.queue.submitted(batch))
    }

    /// Takes a reservation into the queue; see ``CommitQueueStateMachine/reservationWanted(through:)``.
    package mutating func reservationWanted(through revision: Revision) -> CommitQueueStateMachine.OnGathered {
        self.numbered(self.queue.reservationWanted(through: revision))
    }

    private mutating func numbered(_ action: CommitQueueStateMachine.OnGathered) -> CommitQueueStateMachine.OnGathered {
        switch action {
        case .wake, .wakeLater: self.newestWake += 1
        case .complete, .nothing: break
        }
        return action
    }

    /// Has the files checked if nothing is to be written; see ``CommitQueueStateMachine/checkWanted()``.
    package mutating func checkWanted() -> CommitQueueStateMachine.OnGathered {
        self.numbered(self.queue.checkWanted())
    }

    /// The owner wants no more than it has submitted.
    package mutating func closing() {
        self.queue.closing()
    }

    /// The file is closed, so the driver takes nothing any more.
    package mutating func closed() {
        self.queue.closed()
    }
}

/// Calls of the thread that takes the steps.
extension CommitDriver {
    /// Whether the thread should spin on.
    package var isLooking: Bool { self.queue.isLooking }

    /// The thread is awake, because of a wake or because a pause is over; returns its first step.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - wake: The number that ``newestWake`` was when the wake was returned, or the pause.
    /// - Returns: The first step; a rest if a newer wake or pause holds.
    package mutating func woken(at now: Duration, by wake: UInt64) -> Step {
        guard wake == self.newestWake, case .idle = self.state else { return .rest(.untilWoken) }
        return self.ready(at: now, longestPause: .zero)
    }

    /// The last step is done; returns the next one.
    ///
    /// - Parameters:
    ///   - now: The time.
    ///   - longestPause: After a spin, the longest time for which other threads had its core.
    /// - Returns: The next step.
    package mutating func done(at now: Duration, longestPause: Duration = .zero) -> Step {
        switch self.state {
        case .idle: return self.ready(at: now, longestPause: longestPause)
        case .writing: return self.written(at: now)
        case .waiting(let since):
            self.waited += now - since
            return self.written(at: now)
        case .committing:
            let events = self.queue.committed(after: now - self.began - self.waited)
            self.state = .reporting(then: nil)
            return events.isEmpty ? self.done(at: now) : .report(events)
        case .reporting(let step):
            self.state = .idle
            return step ?? self.ready(at: now, longestPause: .zero)
        }
    }

    /// The disk did not take the last step, so nothing of the transaction is stored; returns the next step.
    package mutating func failed(_ reason: String) -> Step {
        let failure = self.queue.failed(reason)
        let rest: Rest
        switch failure.next {
        case .retry(let pause): rest = self.pausing(for: pause)
        case .giveUp: rest = .givenUp
        }
        guard let event = failure.tell else {
            self.state = .idle
            return .rest(rest)
        }
        self.state = .reporting(then: .rest(rest))
        return .report([event])
    }

    private mutating func ready(at now: Duration, longestPause: Duration) -> Step {
        self.began = now
        self.waited = .zero
        switch self.queue.ready(longestPause: longestPause) {
        case .begin(let work):
            self.state = .writing
            return .begin(work)
        case .check:
            self.state = .committing
            return .check
        case .look(let time): return .spin(time)
        case .rest: return .rest(.untilWoken)
        case .restUntil(let pause): return .rest(self.pausing(for: pause))
        }
    }

    private mutating func pausing(for pause: Duration) -> Rest {
        self.newestWake += 1
        return .pause(pause)
    }

    private mutating func written(at now: Duration) -> Step {
        switch self.queue.written() {
        case .write(let work):
            self.state = .writing
            return .write(work)
        case .look(let time):
            self.state = .waiting(since: now)
            return .spin(time)
        case .waitForOthers(let pause):
            self.state = .waiting(since: now)
            return .waitForOthers(pause)
        case .commit:
            self.state = .committing
            return .commit
        }
    }
}
