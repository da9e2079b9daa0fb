import Glibc
package import RacAccess
package import RacHost
import RacProtocol
import RacStore
package import RacWeb

/// The configuration of a daemon.
package struct ServerConfiguration: Sendable {
    /// The failure that a committed change survives.
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

    /// The place where values are kept.
    package enum Storage: Sendable {
        case memory
        case folder(String, Durability)
    }

    package var addresses: [ListenAddress] = [.standard]

    /// The certificates of those addresses that have TLS.
    package var tls: [ListenAddress: TLSListener] = [:]

    package var storage: Storage

    /// The rights of the Unix sockets among the addresses.
    package var socketRights = SocketRights()

    /// The longest payload of a frame after the welcome, compressed or inflated.
    package var maximumFrameBytes = 8 << 20

    /// Event loops, a thread each, that serve the connections; the first one has the host too.
    package var threads = 1

    /// The limit of connections at a time.
    package var maximumConnections = 10_000

    /// The bytes that the daemon may keep for all connections together: unfinished frames and unread answers.
    ///
    /// Two of the longest frames fit in any case.
    package var maximumHeldBytes = 256 << 20

    package var limits = Limits()

    /// The rules of a closed daemon; nil for an open one.
    package var access: AccessPolicy?

    /// The rules for pages that talk to the daemon by HTTP; nil if it speaks no HTTP.
    package var web: WebSettings? = WebSettings()

    /// The time for which a connection may be silent before it is pinged, in milliseconds.
    package var heartbeat: UInt64 = 20_000

    /// The time in which a connection has to say hello, in milliseconds.
    package var helloTimeout: UInt64 = 10_000

    /// The daemon's name in its welcome.
    package var name: String

    /// The program's name and version: the daemon's name unless another one is configured.
    package static let standardName = "racd/\(ProductVersion.current)"

    package init(name: String = ServerConfiguration.standardName, storage: Storage) {
        self.name = name
        self.storage = storage
    }

    /// Whether the machine has more cores than the daemon has event loops.
    ///
    /// A spinning thread takes its core from all others, even from the client for which it spins.
    var leavesCores: Bool { sysconf(CInt(_SC_NPROCESSORS_ONLN)) > self.threads }

    /// The number of rows that is worth a part of its own: they take the store's thread some tens of microseconds.
    private static let partSize = 16

    /// Parts pay off only where the store's thread has a core beside the event loops.
    var batches: BatchPolicy { self.leavesCores ? .parts(of: Self.partSize) : .whole }

    /// The interval between two looks for silent connections, in milliseconds.
    var sweepInterval: Int64 {
        let shortest = min(self.heartbeat, self.helloTimeout)
        return Int64(clamping: max(1, min(1_000, shortest / 4)))
    }
}

/// The reason why the daemon cannot serve, in one line that names the remedy.
package struct ServerError: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = description
    }
}
