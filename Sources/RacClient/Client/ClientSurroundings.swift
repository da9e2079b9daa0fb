package import NIOCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The world of a client beside its event loop; a simulation makes up another one.
package struct ClientSurroundings: Sendable {
    package typealias Initialize = DaemonAddress.Initialize
    package typealias Dialing = EventLoopFuture<any NIOCore.Channel>

    /// Makes a connection on an event loop, no later than the time, and succeeds with its channel.
    package var dial: @Sendable (any EventLoop, TimeAmount, @escaping Initialize) -> Dialing
    /// The program's name for its session.
    package private(set) var session: String
    /// The source of the pauses between attempts.
    package var random: any RandomNumberGenerator & Sendable

    package init(
        session: String,
        random: any RandomNumberGenerator & Sendable,
        dial: @escaping @Sendable (any EventLoop, TimeAmount, @escaping Initialize) -> Dialing
    ) {
        self.session = session
        self.random = random
        self.dial = dial
    }

    /// Sockets, and a session that no other program has.
    init(of address: DaemonAddress, tls: ClientTLS) {
        self.init(session: Self.newSession(), random: SystemRandomNumberGenerator()) {
            address.dial(on: $0, within: $1, tls: tls, $2)
        }
    }

    /// Begins a session that the daemon does not know.
    mutating func beginSession() {
        self.session = Self.newSession()
    }

    private static func newSession() -> String { UUID().uuidString.lowercased() }
}
