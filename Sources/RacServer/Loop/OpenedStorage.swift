import Glibc
import NIOCore
import RacHost
import RacProtocol
import RacStore
import Synchronization

/// What the daemon begins with.
struct OpenedStorage: Sendable {
    let store: Store?
    let channels: [StoredChannel]
    let revisions: RevisionSource

    /// Nothing is kept, yet revisions grow over restarts too: they begin with the microseconds since 1970, which pass
    /// faster than a daemon counts.
    static func memory() -> OpenedStorage {
        let largestExactInteger: UInt64 = 1 << 53
        return OpenedStorage(
            store: nil,
            channels: [],
            revisions: RevisionSource(
                floor: Revision(UInt64(max(0, time(nil))) * 1_000_000),
                reserved: Revision(largestExactInteger)
            )
        )
    }

    func makeShell(_ configuration: ServerConfiguration, on loop: any EventLoop) -> HostShell {
        HostShell(configuration, channels: self.channels, revisions: self.revisions, store: self.store, loop: loop)
    }
}

/// Takes the store's events from its thread to the event loop, in their order.
final class StoreInbox: Sendable {
    private let shell = Mutex<Link<HostShell>?>(nil)

    /// Until then nothing is written, so there are no events.
    func connect(_ shell: Link<HostShell>) {
        self.shell.withLock { $0 = shell }
    }

    func receive(_ event: StoreEvent) {
        guard let shell = self.shell.withLock(\.self) else { return }
        shell.loop.execute { shell.value.stored(event) }
    }
}
