#if !TLS
import NIOCore
import RacProtocol

/// The way between a socket and the handler of a connection, in a build without the trait TLS: nothing.
struct ClientTransport: Sendable {
    /// - Throws: ``ClientError`` with code `invalidURL`: the address needs TLS.
    static func make(
        to address: DaemonAddress,
        _ tls: ClientTLS,
        on eventLoop: any EventLoop
    ) -> EventLoopFuture<ClientTransport> {
        guard case .tls = address else { return eventLoop.makeSucceededFuture(ClientTransport()) }
        let message = "\(address) needs TLS, and this program has none: enable the trait TLS of the package rac"
        return eventLoop.makeFailedFuture(ClientError(.invalidURL, message))
    }

    /// Adds nothing to a new channel's pipeline.
    func join(_ channel: any NIOCore.Channel) throws {}
}

extension TLSFault {
    /// The fault that stopped a handshake: nil, since there are no handshakes.
    init?(_ error: any Error, _ channel: any NIOCore.Channel) { nil }
}
#endif
