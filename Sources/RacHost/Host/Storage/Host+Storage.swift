package import RacProtocol

extension Host {
    /// Whether this tick has changed enough for a part, which the store should get before the host takes the next message.
    package var hasPart: Bool { self.storage.isAwaited && self.tick.changed.count >= self.partSize }

    /// The part of this tick's changes that the store should get now; nil if they are too few for one.
    package func takePart() -> StoreBatch? { self.hasPart ? self.takeBatch(isFollowed: true) : nil }

    /// The changes of the tick since the last part; nil if there are none, or if the daemon keeps everything in memory.
    package func takeBatch() -> StoreBatch? { self.takeBatch(isFollowed: false) }

    private func takeBatch(isFollowed: Bool) -> StoreBatch? {
        defer { self.tick.removeChanged() }
        for channel in self.tick.changed {
            channel.isToBeStored = false
            // Once a batch and not with each value: of a burst only the last value is kept.
            channel.machine.detachValues()
        }
        let isAwaited = self.storage.isAwaited
        guard let ticket = self.storage.closeBatch() else { return nil }
        var changes: [StoreChange] = []
        changes.reserveCapacity(self.tick.changed.count)
        for channel in self.tick.changed {
            if let change = channel.takeChange() { changes.append(change) }
        }
        return StoreBatch(ticket: ticket, changes: changes, isAwaited: isAwaited, isFollowed: isFollowed)
    }

    /// The reservation of revisions that is needed now; returned once.
    package func takeReservation() -> Revision? { self.revisions.neededReservation() }

    /// The store has reserved revisions.
    package func reserved(through revision: Revision) {
        self.revisions.reserved(through: revision)
    }

    /// The store writes again.
    package func storageRecovered() {
        self.storage.recovered()
        self.refreshStorageFigure()
    }

    /// The refusal of a change that must reach the disk while the disk takes none.
    func storageRefusal(sync: Bool) -> Refusal? {
        guard sync, case .failing(let why) = self.storage.condition else { return nil }
        return Refusal(WireError(.storage, "the disk does not take changes now: \(why)"))
    }
}
