import RacHost
import RacProtocol
import RacServer
import RacStore

/// The store as racd has it: the same driver, whose steps stand on the schedule instead of a thread.
extension SimulatedDaemon: BatchReceiver {
    func reserve(through revision: Revision) {
        self.obey(self.store.reservationWanted(through: revision))
    }

    func submit(_ batch: StoreBatch) {
        self.world.ledger.durability.closed(batch.ticket, as: self.world.ledger.truth.records)
        self.obey(self.store.submitted(batch))
    }

    private func obey(_ action: CommitQueueStateMachine.OnGathered) {
        switch action {
        case .wake:
            self.wakes += 1
            let delay = self.world.noise.number(upTo: 100, at: .wake, self.number, self.wakes)
            self.drain(after: delay)
        case .wakeLater(let pause): self.drain(after: pause.microseconds)
        case .complete: self.goOn(after: 0)
        case .nothing: break
        }
    }

    /// The thread of the store is awake.
    func drain(by wake: UInt64) {
        self.take(self.store.woken(at: self.uptime, by: wake))
    }

    /// The thread has taken the last step, or a wait of it is over.
    func written(step: Int) {
        guard step == self.writeSteps, self.writing != nil else { return }
        self.take(self.store.done(at: self.uptime))
    }

    private var uptime: Duration { .microseconds(self.world.now) }

    private func take(_ step: CommitDriver.Step) {
        switch step {
        case .begin(let work), .write(let work): self.write(work)
        case .spin(let pause) where self.writing == nil: self.drain(after: pause.microseconds)
        case .spin(let pause), .waitForOthers(let pause): self.goOn(after: pause.microseconds)
        case .commit: self.take(self.commit())
        case .check: self.take(self.check())
        case .report(let events):
            for event in events { self.tell(event) }
            self.take(self.store.done(at: self.uptime))
        case .rest(.pause(let pause)): self.drain(after: pause.microseconds)
        case .rest(.untilWoken), .rest(.givenUp): break
        }
    }

    private func drain(after time: Microseconds) {
        self.world.agenda.add(.drains(self, by: self.store.newestWake), at: self.world.now + time)
    }

    private func write(_ work: CommitQueueStateMachine.Work) {
        self.writing = self.writing?.followed(by: work) ?? work
        self.wakes += 1
        let longest = self.world.plan.weather.longestCommit
        self.goOn(after: self.world.noise.number(upTo: longest, at: .commit, self.number, self.wakes))
    }

    /// The thread takes its next step after this time, unless something calls for it earlier.
    private func goOn(after time: Microseconds) {
        self.writeSteps += 1
        self.world.agenda.add(.written(self, step: self.writeSteps), at: self.world.now + time)
    }

    /// Commits the transaction under way, unless the disk is full; returns the next step.
    private func commit() -> CommitDriver.Step {
        let work = self.writing
        self.writing = nil
        if self.world.disk.isFull {
            self.world.timeline?.note("the disk is full: nothing was written")
            return self.store.failed("no space left on device")
        }
        if let work { self.world.commit(work) }
        return self.check()
    }

    /// Checks that a start would find the files; returns the next step.
    private func check() -> CommitDriver.Step {
        guard self.world.disk.isMoved, self.world.sabotage != .uncheckedFiles else {
            return self.store.done(at: self.uptime)
        }
        self.world.timeline?.note("the files are not in their place")
        return self.store.failed("the files are not in their place")
    }

    /// Has the files checked if the thread rests.
    func checkFiles() {
        guard case .wake = self.store.checkWanted() else { return }
        self.drain(after: 0)
    }

    /// Events reach the host in their order, some time later.
    private func tell(_ event: StoreEvent) {
        self.wakes += 1
        let delay = self.world.noise.number(upTo: 100, at: .tell, self.number, self.wakes)
        self.lastTold = max(self.lastTold, self.world.now + delay)
        self.world.agenda.add(.tells(self, event), at: self.lastTold)
    }

    func told(_ event: StoreEvent) {
        self.enterTick(isPolled: false)
        self.turn.stored(event)
    }

    /// Stores all that was submitted, as an orderly end does; false if the disk is full.
    func finish() throws(Violation) -> Bool {
        self.turn.stop()
        // A loss that has not had its turn leaves no will, as if the daemon had not heard of it.
        self.closing = [:]
        for connection in self.connections.values { connection.dismiss() }
        try self.endTick()
        self.store.closing()
        var step =
            self.writing == nil
            ? self.store.woken(at: self.uptime, by: self.store.newestWake) : self.store.done(at: self.uptime)
        while true {
            switch step {
            case .begin(let work), .write(let work):
                self.writing = self.writing?.followed(by: work) ?? work
                step = self.store.done(at: self.uptime)
            case .commit where self.world.disk.isFull: return false
            case .commit where self.world.disk.isMoved, .check where self.world.disk.isMoved: return false
            case .commit: step = self.commit()
            case .check, .spin, .waitForOthers, .report: step = self.store.done(at: self.uptime)
            case .rest:
                self.store.closed()
                return true
            }
        }
    }
}

extension Duration {
    var microseconds: Microseconds {
        let (seconds, attoseconds) = self.components
        return Microseconds(seconds) * 1_000_000 + Microseconds(attoseconds / 1_000_000_000_000)
    }
}
