import RacProtocol

extension TLSFault {
    /// A word for the log, and a sentence: the client's fault, and the remedy if there is one.
    var ofClient: (code: String, reason: String) {
        switch self {
        case .noTLS: ("no-tls", "this address speaks TLS only, and the client does not: connect with racs://")
        case .oldVersion: ("old-version", "the client speaks no TLS 1.2 or 1.3")
        case .noCertificate: ("no-certificate", "the client has no certificate, which this address demands")
        case .unknownAuthority:
            ("unknown-authority", "no authority of this address has signed the client's certificate for clients")
        case .expired: ("expired", "the client's certificate has expired")
        case .notYetValid: ("not-yet-valid", "the client's certificate is not valid yet")
        case .wrongName: ("wrong-name", "the client's certificate is for another name")
        case .certificateRequired: ("certificate-required", "the client demands a certificate")
        case .refused(.expired): ("refused-expired", "the client says that this daemon's certificate is not valid now")
        case .refused(.unknownAuthority):
            ("refused-authority", "the client does not trust the authority of this daemon's certificate")
        case .refused(.other): ("refused", "the client does not accept this daemon's certificate")
        case .ended: ("ended", "the client hung up")
        case .other(let words): ("other", words)
        }
    }
}
