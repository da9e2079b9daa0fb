import Glibc
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
    ///
    /// Revisions grow over restarts all the same: they begin with the half microseconds since 1970, which pass faster than
    /// a daemon counts.
    static func memory() -> OpenedStorage {
        let largestExactInteger: UInt64 = 1 << 53
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        let halfMicroseconds = max(0, now.tv_sec) * 2_000_000 + now.tv_nsec / 500
        return OpenedStorage(
            store: nil,
            channels: [],
            revisions: RevisionSource(
                floor: Revision(UInt64(halfMicroseconds)),
                reserved: Revision(largestExactInteger)
            )
        )
    }

    func makeShell(_ configuration: ServerConfiguration, on loop: any EventLoop) -> HostShell {
        HostShell(configuration, channels: self.channels, revisions: self.revisions, store: self.store, loop: loop)
    }
}
