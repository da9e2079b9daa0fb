import RacHost
import RacProtocol
import RacStore

/// The store as racd has it, with its thread's work on the agenda.
extension SimulatedDaemon {
    /// The store gets the changes of this tick so far, before the host takes the next message.
    func submitPart() {
        if let part = self.host.takePart() { self.submit(part) }
    }

    func submit(_ batch: StoreBatch?) {
        if let reservation = self.host.takeReservation() {
            self.obey(self.store.reservationWanted(through: reservation))
        }
        guard let batch else { return }
        self.world.ledger.durability.closed(batch.ticket, as: self.world.ledger.truth.records)
        self.obey(self.store.submitted(batch))
    }

    private func obey(_ action: CommitQueueStateMachine.OnGathered) {
        switch action {
        case .wake:
            self.wakes += 1
            let delay = self.world.noise.number(upTo: 100, at: .wake, self.number, self.wakes)
            self.world.agenda.add(.drains(self), at: self.world.now + delay)
        case .wakeLater(let pause): self.world.agenda.add(.drains(self), at: self.world.now + pause.microseconds)
        case .complete: self.goOn(after: 0)
        case .nothing: break
        }
    }

    func drain() {
        switch self.store.ready() {
        case .rest: break
        case .restUntil(let pause), .look(let pause):
            self.world.agenda.add(.drains(self), at: self.world.now + pause.microseconds)
        case .begin(let work):
            self.writingSince = self.world.now
            self.waited = 0
            self.write(work)
        }
    }

    private func write(_ work: CommitQueueStateMachine.Work) {
        self.writing = self.writing?.followed(by: work) ?? work
        self.wakes += 1
        let longest = self.world.plan.weather.longestCommit
        self.goOn(after: self.world.noise.number(upTo: longest, at: .commit, self.number, self.wakes))
    }

    /// The thread goes on with the transaction then, unless it has to before.
    private func goOn(after time: Microseconds) {
        self.writeSteps += 1
        self.world.agenda.add(.written(self, step: self.writeSteps), at: self.world.now + time)
    }

    /// What the transaction under way was given is written, or a wait of its is over.
    func written(step: Int) {
        guard step == self.writeSteps, let work = self.writing else { return }
        switch self.store.written() {
        case .write(let more): self.write(more)
        case .look(let pause), .waitForOthers(let pause):
            self.waited += pause.microseconds
            self.goOn(after: pause.microseconds)
        case .commit: self.commit(work)
        }
    }

    /// The transaction is through, or the disk had no space for it.
    private func commit(_ work: CommitQueueStateMachine.Work) {
        self.writing = nil
        guard !self.world.disk.isFull else { return self.failed() }
        self.world.commit(work)
        let time = self.world.now - self.writingSince
        for event in self.store.committed(after: .microseconds(time - min(time, self.waited))) { self.tell(event) }
        self.drain()
    }

    private func failed() {
        self.world.timeline?.note("the disk is full: nothing was written")
        let action = self.store.failed("no space left on device")
        if let event = action.tell { self.tell(event) }
        switch action.next {
        case .retry(let pause): self.world.agenda.add(.drains(self), at: self.world.now + pause.microseconds)
        case .giveUp: break
        }
    }

    /// Events reach the host in their order, some time later.
    private func tell(_ event: StoreEvent) {
        self.wakes += 1
        let delay = self.world.noise.number(upTo: 100, at: .tell, self.number, self.wakes)
        self.lastTold = max(self.lastTold, self.world.now + delay)
        self.world.agenda.add(.tells(self, event), at: self.lastTold)
    }

    func told(_ event: StoreEvent) {
        self.enterTick()
        switch event {
        case .committed(let ticket): self.host.committed(through: ticket)
        case .failing(let why, let ticket): self.host.failing(why, through: ticket)
        case .recovered: self.host.storageRecovered()
        case .reserved(let revision): self.host.reserved(through: revision)
        }
    }

    /// Stores what there is, as an orderly end does; false if the disk takes it not.
    func finish() throws(Violation) -> Bool {
        for connection in self.connections.values { connection.dismiss() }
        try self.endTick()
        if let work = self.writing {
            self.writing = nil
            guard !self.world.disk.isFull else { return false }
            self.world.commit(work)
            _ = self.store.committed()
        }
        self.store.closing()
        while case .begin(let work) = self.store.ready() {
            guard !self.world.disk.isFull else { return false }
            self.world.commit(work)
            _ = self.store.committed()
        }
        self.store.closed()
        return true
    }
}

extension Duration {
    var microseconds: Microseconds {
        let (seconds, attoseconds) = self.components
        return Microseconds(seconds) * 1_000_000 + Microseconds(attoseconds / 1_000_000_000_000)
    }
}
