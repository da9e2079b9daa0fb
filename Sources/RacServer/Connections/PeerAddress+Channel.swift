import Glibc
import NIOCore
import RacProtocol

extension PeerAddress {
    /// The other end of a channel, on the channel's loop; nil if the channel has none.
    init?(_ channel: any Channel) {
        switch channel.remoteAddress {
        case .v4?, .v6?:
            guard let address = channel.remoteAddress, let host = address.ipAddress, let port = address.port else {
                return nil
            }
            self = .tcp(host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)")
        case .unixDomainSocket?, nil:
            // The address of a client's Unix socket has no name.
            guard case .unixDomainSocket? = channel.localAddress else { return nil }
            let credentials = Self.credentials(of: channel)
            self = .unix(
                process: credentials.flatMap { $0.pid > 0 ? UInt64($0.pid) : nil },
                user: credentials.map { UInt64($0.uid) }
            )
        }
    }

    /// The credentials of the process that connected, which the system took then.
    private static func credentials(of channel: any Channel) -> Credentials? {
        guard let options = channel as? any SocketOptionProvider else { return nil }
        var found: Credentials?
        let option: EventLoopFuture<Credentials> = options.unsafeGetSocketOption(
            level: .socket,
            name: NIOBSDSocket.Option(rawValue: SO_PEERCRED)
        )
        // On its own loop the channel has the answer at once.
        option.assumeIsolated().whenSuccess { found = $0 }
        return found
    }

    /// The system's `struct ucred`, which its headers show to C with `_GNU_SOURCE` only.
    private struct Credentials: BitwiseCopyable {
        var pid: pid_t
        var uid: uid_t
        var gid: gid_t
    }
}
