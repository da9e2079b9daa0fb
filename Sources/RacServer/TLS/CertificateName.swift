#if TLS
import Glibc
import NIOSSL
import RacProtocol

extension NIOSSLCertificate {
    /// The time of the certificate, beside the present time.
    var validity: TLSFault.Validity {
        TLSFault.Validity(from: self.notValidBefore, to: self.notValidAfter, at: time(nil))
    }

    /// The name for which the certificate stands: the first URI among its names, else the first DNS name, else its common
    /// name.
    ///
    /// A name that is no text is none.
    var clientName: String? {
        let names = self._subjectAlternativeNames()
        if let name = names.first(where: { $0.nameType == .uri }) ?? names.first(where: { $0.nameType == .dnsName }) {
            return String(certificate: name.contents)
        }
        return (try? self.toDERBytes()).flatMap { CertificateSubject(der: $0)?.commonName }
    }
}
#endif
