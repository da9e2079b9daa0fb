import NIOCore
import RacStore
import Synchronization

/// The door from the store's thread back to the event loop: takes the store's events there in their order.
final class StoreInbox: Sendable {
    private let shell = Mutex<LoopReference<HostShell>?>(nil)

    /// Names the shell that gets the events.
    ///
    /// The store has nothing to write before the shell exists, so no event comes earlier.
    func connect(_ shell: LoopReference<HostShell>) {
        self.shell.withLock { $0 = shell }
    }

    func receive(_ event: StoreEvent) {
        guard let shell = self.shell.withLock(\.self) else { return }
        shell.loop.execute { shell.value.stored(event) }
    }
}
