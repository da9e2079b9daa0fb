package import RacServer

/// An address to listen on, with its transport.
package struct ListenerSetting: Hashable, Sendable {
    /// The clients that a listener of the file takes.
    enum TLSMode: String, CaseIterable, Sendable {
        /// Clients without TLS.
        case off
        /// Clients with TLS.
        case required
        /// Clients with TLS and without, on addresses of this machine.
        case either
    }

    /// The certificates that clients show.
    enum Clients: String, CaseIterable, Sendable {
        case none
        case optional
        case required
    }

    package let address: ListenAddress
    /// The files of the listener's TLS; nil for plain bytes.
    package let tls: TLSListener?

    package init(_ address: ListenAddress, tls: TLSListener? = nil) {
        self.address = address
        self.tls = tls
    }

    /// Whether a client may speak in clear text through an address that others can reach.
    package var isExposed: Bool { !self.address.isLocal && self.address.hasPlain }

    /// Whether others can reach the address without a certificate of their own.
    package var isOpen: Bool {
        !self.address.isLocal && (self.address.hasPlain || self.tls?.requiresClientCertificate != true)
    }

    var clients: Clients {
        switch self.tls?.clients {
        case .some(.none), nil: .none
        case .optional: .optional
        case .required: .required
        }
    }
}

extension ListenAddress {
    /// Returns the address with TLS, beside plain bytes unless it is required; the path of a socket has none.
    func withTLS(isRequired: Bool) -> ListenAddress {
        guard let (host, port) = self.place else { return self }
        return isRequired ? .tls(host: host, port: port) : .either(host: host, port: port)
    }
}
