import Glibc
package import RacHost
import RacProtocol
import RacStore

/// How a daemon runs.
package struct ServerConfiguration: Sendable {
    /// What a committed change survives.
    package enum Durability: String, CaseIterable, Sendable {
        /// A power loss.
        case full
        /// A crash of the daemon; of the system, up to the last checkpoint.
        case normal
        /// A crash of the daemon.
        case off

        var ofStore: RacStore.Durability {
            switch self {
            case .full: .full
            case .normal: .normal
            case .off: .off
            }
        }
    }

    /// Where the values are kept.
    package enum Storage: Sendable {
        case memory
        case folder(String, Durability)
    }

    package var addresses: [ListenAddress] = [.standard]
    package var storage: Storage

    /// The longest payload of a frame after the welcome, compressed or inflated.
    package var maximumFrameBytes = 8 << 20

    /// Event loops, a thread each, that serve the connections; the first one has the host too.
    package var threads = 1

    /// Connections at a time.
    package var maximumConnections = 10_000

    /// In bytes: what all connections together may make the daemon keep.
    ///
    /// That is beginnings of frames, and answers that are not read. There is room for two of the longest frames in any case.
    package var maximumHeldBytes = 256 << 20

    package var limits = Limits()

    /// In milliseconds: how long a connection may be silent before it is pinged.
    package var heartbeat: UInt64 = 20_000

    /// In milliseconds: how long a connection has to say hello.
    package var helloTimeout: UInt64 = 10_000

    /// What the daemon calls itself in its welcome.
    package var name: String

    /// The program's name and version: what the daemon calls itself unless told otherwise.
    package static let standardName = "racd/\(ProductVersion.current)"

    package init(name: String = ServerConfiguration.standardName, storage: Storage) {
        self.name = name
        self.storage = storage
    }

    /// Whether the machine has cores for the event loops and others: one on which a thread waits awake is nobody else's, not
    /// even that of the client that it waits for.
    var leavesCores: Bool { sysconf(CInt(_SC_NPROCESSORS_ONLN)) > self.threads }

    /// The number of rows that is worth a part of its own: they take the store's thread some tens of microseconds.
    private static let partSize = 16

    /// Parts pay off only where the store's thread has a core beside the event loops.
    var batches: BatchPolicy { self.leavesCores ? .parts(of: Self.partSize) : .whole }

    /// In milliseconds: how often silent connections are looked for.
    var sweepInterval: Int64 {
        let shortest = min(self.heartbeat, self.helloTimeout)
        return Int64(clamping: max(1, min(1_000, shortest / 4)))
    }
}

/// Why the daemon cannot serve, in one line that says what to do.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
