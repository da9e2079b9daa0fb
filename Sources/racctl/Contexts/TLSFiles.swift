import ArgumentParser
import RacConnection

/// The paths of the files for a daemon with TLS.
struct TLSFiles: Equatable {
    /// The variables that name these files.
    enum Variable {
        static let authority = "RACCTL_CA"
        static let certificate = "RACCTL_CERT"
        static let key = "RACCTL_KEY"
    }

    /// The CA that the daemon's certificate is from; nil: those of the system.
    var authority: String?
    var certificate: String?
    var key: String?

    /// The files that the variables of this process name.
    static var ofEnvironment: Self {
        Self(
            authority: Environment.text(of: Variable.authority),
            certificate: Environment.text(of: Variable.certificate),
            key: Environment.text(of: Variable.key)
        )
    }

    /// These files, and others in the place of those that are missing.
    func completed(by others: Self) -> Self {
        Self(
            authority: self.authority ?? others.authority,
            certificate: self.certificate ?? others.certificate,
            key: self.key ?? others.key
        )
    }

    /// The trust in the daemon, and the certificate of this client.
    var tls: ClientTLS {
        get throws(ValidationError) {
            let trust = self.authority.map { ClientTLS.Trust.file($0) } ?? .system
            switch (self.certificate, self.key) {
            case (nil, nil): return ClientTLS(trust: trust)
            case (let certificate?, let key?):
                return ClientTLS(trust: trust, identity: .init(certificateFile: certificate, keyFile: key))
            case (nil, _?): throw ValidationError("--cert is missing: a certificate and its key belong together")
            case (_?, nil): throw ValidationError("--key is missing: a certificate and its key belong together")
            }
        }
    }
}
