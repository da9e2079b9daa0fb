import RacHost
import RacProtocol
import RacStore

/// The store as racd has it, with its thread's work on the agenda.
extension SimulatedDaemon {
    func submitChanges() {
        if let reservation = self.host.takeReservation() {
            self.obey(self.store.reservationWanted(through: reservation))
        }
        guard let changes = self.host.takeChanges() else { return }
        self.world.ledger.durability.closed(changes.ticket, as: self.world.ledger.truth.records)
        let batch = StoreBatch(ticket: changes.ticket, changes: changes.changes, isAwaited: changes.isAwaited)
        self.obey(self.store.submitted(batch))
    }

    private func obey(_ action: CommitQueueStateMachine.OnGathered) {
        switch action {
        case .wake:
            self.wakes += 1
            let delay = self.world.noise.number(upTo: 100, at: .wake, self.number, self.wakes)
            self.world.agenda.add(.drains(self), at: self.world.now + delay)
        case .wakeLater(let pause): self.world.agenda.add(.drains(self), at: self.world.now + pause.microseconds)
        case .complete: self.world.agenda.add(.drains(self), at: self.world.now)
        case .nothing: break
        }
    }

    func drain() {
        switch self.store.ready() {
        case .rest: break
        case .restUntil(let pause), .waitForOthers(let pause), .look(let pause):
            self.world.agenda.add(.drains(self), at: self.world.now + pause.microseconds)
        case .commit(let work):
            self.writing = work
            self.writingSince = self.world.now
            self.wakes += 1
            let longest = self.world.plan.weather.longestCommit
            let time = self.world.noise.number(upTo: longest, at: .commit, self.number, self.wakes)
            self.world.agenda.add(.written(self), at: self.world.now + time)
        }
    }

    /// The transaction under way is through, or the disk had no space for it.
    func written() {
        guard let work = self.writing else { return }
        self.writing = nil
        guard !self.world.disk.isFull else { return self.failed() }
        self.world.commit(work)
        let time = Duration.microseconds(self.world.now - self.writingSince)
        for event in self.store.committed(after: time) { self.tell(event) }
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
        while case .commit(let work) = self.store.ready() {
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
