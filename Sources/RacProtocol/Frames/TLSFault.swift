/// The reason for the failure of a TLS handshake, as one side sees it.
package enum TLSFault: Error, Hashable, Sendable {
    /// The other side's first bytes are no TLS.
    case noTLS
    /// The other side speaks only versions before TLS 1.2.
    case oldVersion
    /// The other side has to show a certificate and has none.
    case noCertificate
    /// No trusted authority has signed the other side's certificate, or it is for another purpose.
    case unknownAuthority
    /// The time of the other side's certificate is over.
    case expired
    /// The time of the other side's certificate has not begun.
    case notYetValid
    /// The daemon's certificate is for other hosts, with the names in it.
    case wrongName([String])
    /// The other side demands a certificate.
    case certificateRequired
    /// The other side does not accept this side's certificate.
    case refused(Refused)
    /// The other side hung up.
    case ended
    /// Another reason, in the words of the TLS library.
    case other(String)

    /// The reason why the other side does not accept a certificate.
    package enum Refused: Hashable, Sendable {
        case expired
        case unknownAuthority
        case other
    }

    /// The time of the other side's certificate, beside the present time.
    package enum Validity: Hashable, Sendable {
        case valid
        case expired
        case notYetValid

        /// Compares seconds since 1970 UTC.
        package init(from start: Int, to end: Int, at now: Int) {
            self = now > end ? .expired : now < start ? .notYetValid : .valid
        }
    }

    /// Reads the words of BoringSSL.
    ///
    /// The words do not say why a certificate was not accepted, so its time has to.
    package init(words: String, validity: Validity?) {
        self = Self.known.first { words.contains($0.word) }?.fault ?? .other(words)
        guard self == .unknownAuthority else { return }
        switch validity {
        case .expired: self = .expired
        case .notYetValid: self = .notYetValid
        case .valid, nil: break
        }
    }

    /// The words of BoringSSL, the more special ones first.
    private static let known: [(word: String, fault: TLSFault)] = [
        ("CERTIFICATE_VERIFY_FAILED", .unknownAuthority),
        ("PEER_DID_NOT_RETURN_A_CERTIFICATE", .noCertificate),
        ("CERTIFICATE_REQUIRED", .certificateRequired),
        ("ALERT_CERTIFICATE_EXPIRED", .refused(.expired)),
        ("ALERT_UNKNOWN_CA", .refused(.unknownAuthority)),
        ("ALERT_BAD_CERTIFICATE", .refused(.other)),
        ("ALERT_UNSUPPORTED_CERTIFICATE", .refused(.other)),
        ("ALERT_CERTIFICATE_", .refused(.other)),
        ("ALERT_PROTOCOL_VERSION", .oldVersion),
        ("UNSUPPORTED_PROTOCOL", .oldVersion),
        ("WRONG_VERSION_NUMBER", .noTLS),
        ("HTTP_REQUEST", .noTLS),
        ("HTTPS_PROXY_REQUEST", .noTLS),
        ("EOF during handshake", .ended),
    ]
}

/// The first bytes of TLS records, by which a side knows the other one's protocol.
///
/// Semantics: protocol.md, "TLS".
package enum TLSRecord {
    /// The first byte of a client that begins TLS; a frame with it would be too long for any hello.
    package static let handshake: UInt8 = 0x16

    /// The first byte of a daemon that speaks TLS, when the client does not; no welcome begins so.
    package static let alert: UInt8 = 0x15

    /// The alert for a client that does not speak TLS: fatal, `protocol_version`.
    package static let refusal: [UInt8] = [Self.alert, 3, 1, 0, 2, 2, 70]
}
