import NIOCore
import RacHost
import RacProtocol
import RacStore

/// The state with which the daemon starts: a store with its channels, or nothing.
struct OpenedStorage: Sendable {
    let store: Store?
    let channels: [StoredChannel]
    let revisions: RevisionSource

    /// Keeps nothing.
    static func memory() -> OpenedStorage {
        let largestExactInteger: UInt64 = 1 << 53
        return OpenedStorage(
            store: nil,
            channels: [],
            revisions: RevisionSource(floor: .beginning(), reserved: Revision(largestExactInteger))
        )
    }

    func makeShell(_ configuration: ServerConfiguration, on loop: any EventLoop) -> HostShell {
        HostShell(configuration, channels: self.channels, revisions: self.revisions, store: self.store, loop: loop)
    }
}
