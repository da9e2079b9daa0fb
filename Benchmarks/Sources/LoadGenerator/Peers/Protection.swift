/// The wall between a server and strangers, alike for all servers of a run.
package struct Protection: Sendable {
    /// The certificate of a server and its key, both as PEM files.
    package struct Certificate: Sendable {
        package var certificateFile: String
        package var keyFile: String

        package init(certificateFile: String, keyFile: String) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
        }
    }

    /// Nil for plain bytes.
    package var certificate: Certificate?
    /// Whether clients say who they are, and may do only what rules grant to them.
    package var hasRules: Bool

    package init(certificate: Certificate? = nil, hasRules: Bool = false) {
        self.certificate = certificate
        self.hasRules = hasRules
    }

    var credentials: Credentials? { self.hasRules ? .bench : nil }

    /// A protection with this certificate and without rules.
    var withoutRules: Protection { Protection(certificate: self.certificate) }
}
