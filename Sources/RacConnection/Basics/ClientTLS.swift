/// How a client trusts a daemon whose address begins with `racs://`, and how it shows who it is.
///
///     var tls = ClientTLS(trust: .file("/etc/rac/ca.crt"))
///     tls.identity = ClientTLS.Identity(certificateFile: "kiosk.crt", keyFile: "kiosk.key")
///
/// The daemon's certificate has to be for the host of the address. All files are PEM. They are read for each connection, so
/// a client takes renewed ones without a restart.
public struct ClientTLS: Hashable, Sendable {
    /// The authorities whose signature makes a daemon's certificate good.
    public enum Trust: Hashable, Sendable {
        /// The authorities that the system trusts.
        case system
        /// The authorities in a file, and no others.
        case file(String)
    }

    /// The certificate with which a client shows who it is.
    public struct Identity: Hashable, Sendable {
        /// The client's certificate, and behind it those that lead to its authority.
        public var certificateFile: String
        /// The private key of the certificate.
        public var keyFile: String

        /// Names the files of a certificate.
        ///
        /// - Parameters:
        ///   - certificateFile: The client's certificate, and behind it those that lead to its authority.
        ///   - keyFile: The private key of the certificate, without a passphrase.
        public init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// The authorities whose signature makes a daemon's certificate good.
    public var trust: Trust
    /// The certificate with which the client shows who it is; nil for none.
    public var identity: Identity?

    /// Makes a configuration, by default with the authorities of the system and without an own certificate.
    ///
    /// - Parameters:
    ///   - trust: The authorities whose signature makes a daemon's certificate good.
    ///   - identity: The certificate with which the client shows who it is; nil for none.
    public init(trust: Trust = .system, identity: Identity? = nil) {
        self.trust = trust
        self.identity = identity
    }
}
