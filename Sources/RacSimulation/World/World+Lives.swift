import RacProtocol
import RacStore

/// The daemon's starts and ends.
extension World {
    /// Starts as `Store.open` and the daemon do: what the disk has, and a block of revisions above all that were reserved.
    func boots() throws(Violation) {
        guard self.daemon == nil else { return }
        self.isActive()
        guard !self.disk.isFull, !self.disk.isMoved else { return self.agenda.add(.boots, at: self.now + 100_000) }
        let found = self.disk.content
        let floor = self.sabotage == .revisionsReused ? found.newest : found.reserved
        let reserved = Revision(floor.number + self.plan.weather.revisionBlock)
        self.commit(CommitQueueStateMachine.Work(reservation: reserved))
        try self.ledger.booted(with: found.records, rules: self.rules?.rules, losesPromises: self.losesPromises)
        self.losesPromises = false
        self.lives += 1
        self.timeline?.note("D starts, epoch \(self.lives)")
        let channels = found.channels.map { StoredChannel(number: $0.key, record: $0.value) }
        let start = DaemonStart(
            channels: channels.sorted { $0.number < $1.number },
            floor: floor,
            reserved: reserved,
            rules: self.rules
        )
        self.daemon = self.cast.daemon(self.lives, self, start)
    }

    func commit(_ work: CommitQueueStateMachine.Work) {
        self.isActive()
        self.disk.commit(work, self.plan.weather.durability)
        guard let ticket = work.ticket else { return }
        self.ledger.durability.stored(through: ticket, inPlace: !self.disk.isMoved)
        self.timeline?.note("disk has batch \(ticket)")
    }

    func crash(_ crash: Crash, downFor time: Microseconds) {
        guard let daemon = self.daemon else { return }
        // The transaction under way is there whole, or not at all.
        if let work = daemon.writing, !self.disk.isFull, self.noise.number(upTo: 1, at: .torn, self.lives) == 0 {
            self.commit(work)
        }
        if crash == .power {
            let most = UInt64(self.disk.doubtfulCount)
            self.disk.losePower(Int(self.noise.number(upTo: most, at: .power, self.lives)))
            self.losesPromises = self.plan.weather.durability != .full
        }
        if self.sabotage == .tornDisk, let number = self.disk.content.channels.keys.min() { self.disk.tear(number) }
        self.ends(downFor: time)
    }

    func restart(downFor time: Microseconds) throws(Violation) {
        guard let daemon = self.daemon else { return }
        if try daemon.finish() { self.ledger.durability.promiseAll() }
        self.ends(downFor: time)
    }

    private func ends(downFor time: Microseconds) {
        self.daemon = nil
        for client in self.clients {
            guard let link = client.link, link.life == self.lives else { continue }
            self.hangUp(link, by: .daemon)
        }
        self.agenda.add(.boots, at: self.now + time)
    }
}

extension SimulatedDisk.Content {
    /// The newest revision that a channel has.
    fileprivate var newest: Revision { self.channels.values.map(\.revision).max() ?? .never }
}
