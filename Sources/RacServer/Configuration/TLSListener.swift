/// The TLS of one address: the daemon's certificate, and the certificates that it wants of clients.
///
/// All files are PEM. The daemon reads them again when they change.
package struct TLSListener: Hashable, Sendable {
    /// The certificates that clients show.
    package enum Clients: Hashable, Sendable {
        /// No client is asked for one.
        case none
        /// A client may show one, which has to be signed by an authority of the file.
        case optional(authorityFile: String)
        /// Each client has to show one that is signed by an authority of the file.
        case required(authorityFile: String)

        /// The file with the authorities that sign clients' certificates.
        package var authorityFile: String? {
            switch self {
            case .none: nil
            case .optional(let file), .required(let file): file
            }
        }
    }

    /// The daemon's certificate, and behind it those that lead to its authority.
    package var certificateFile: String

    /// The private key of the certificate.
    package var keyFile: String

    package var clients: Clients

    package init(certificateFile: String, keyFile: String, clients: Clients = .none) {
        self.certificateFile = certificateFile
        self.keyFile = keyFile
        self.clients = clients
    }

    /// Whether a client without a certificate is turned away.
    package var requiresClientCertificate: Bool {
        if case .required = self.clients { true } else { false }
    }
}
