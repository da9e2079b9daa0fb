import RacHost
import RacProtocol
package import RacStore

// MARK: The store

extension HostTurn {
    /// The store reports what has become of batches and reservations.
    package func stored(_ event: StoreEvent) {
        switch event {
        case .committed(let ticket):
            self.host.committed(through: ticket)
            self.noLongerAwaits(through: ticket)
        case .failing(let why, let ticket):
            self.host.failing(why, through: ticket)
            self.noLongerAwaits(through: ticket)
        case .recovered:
            self.host.storageRecovered()
        case .reserved(let revision):
            self.host.reserved(through: revision)
        }
    }

    private func noLongerAwaits(through ticket: UInt64) {
        if let awaited = self.awaited, awaited <= ticket { self.awaited = nil }
    }

    /// Gives the store a part of the tick's changes, if there are enough: it writes rows while the tick goes on.
    func givePart(to store: some BatchReceiver) {
        if let part = self.host.takePart() { self.give(part, to: store) }
    }

    func give(_ batch: StoreBatch?, to store: some BatchReceiver) {
        if let reservation = self.host.takeReservation() { store.reserve(through: reservation) }
        guard let batch else { return }
        if batch.isAwaited { self.awaited = batch.ticket }
        store.submit(batch)
    }
}
