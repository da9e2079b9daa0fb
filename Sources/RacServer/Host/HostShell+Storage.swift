import NIOCore
import RacProtocol
import RacStore

// MARK: Storage

extension HostShell: BatchReceiver {
    func reserve(through revision: Revision) {
        self.store?.reserveRevisions(through: revision)
    }

    func submit(_ batch: StoreBatch) {
        self.store?.submit(batch)
    }

    /// Takes an event of the store.
    func stored(_ event: StoreEvent) {
        self.loop.assertInEventLoop()
        self.enterTick()
        self.turn.stored(event)
    }
}
