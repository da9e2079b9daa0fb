package import RacServer

/// An address to listen on, with its transport.
package struct ListenerSetting: Hashable, Sendable {
    package let address: ListenAddress
    /// The TLS of the listener; nil for plain bytes.
    package let tls: TLSSetting?

    package init(_ address: ListenAddress, tls: TLSSetting? = nil) {
        self.address = address
        self.tls = tls
    }

    /// Whether a client may speak in clear text through an address that others can reach.
    package var isExposed: Bool { !self.address.isLocal && self.tls == nil }
}

/// The TLS of a listener.
package struct TLSSetting: Hashable, Sendable {
    /// The clients that a listener takes.
    package enum Mode: String, CaseIterable, Sendable {
        /// Clients without TLS.
        case off
        /// Clients with TLS.
        case required
        /// Clients with TLS and without, on addresses of this machine.
        case either
    }

    /// The certificates that clients show.
    package enum Clients: String, CaseIterable, Sendable {
        case none
        case optional
        case required
    }

    /// Whether the listener takes clients without TLS, too.
    package let isOptional: Bool
    /// The path of the certificate and its chain, as PEM.
    package let certificate: String
    /// The path of the certificate's key, as PEM.
    package let key: String
    /// The path of the certificates that sign those of clients, as PEM; nil if clients need none.
    package let clientAuthority: String?
    package let clients: Clients
}
