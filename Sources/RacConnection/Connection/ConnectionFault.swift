package import NIOCore
package import RacProtocol

/// Why a connection has ended, or was never there.
package enum ConnectionFault: Error, Hashable, Sendable {
    /// The daemon said why.
    case refused(Refusal)
    /// The daemon wants a token, and this program showed none.
    case asksForToken
    /// The token would have travelled in clear text to another machine, so it was not sent.
    case wouldExposeToken
    /// Nobody said welcome in time.
    case noWelcome(within: TimeAmount)
    /// The listener at that address sent another message than a welcome.
    case notADaemon
    /// The listener at that address hung up without a message.
    case hungUp
    /// The handshake of TLS failed.
    case noTLS(TLSFault)
    /// The daemon's first byte is that of a TLS alert.
    case speaksTLS
    /// The daemon sent what protocol version 1 does not have.
    case brokenProtocol(WireError)
    /// Not even a ping came for that long.
    case silent(for: TimeAmount)
    /// The connection ended without a word.
    case lost
    /// This program ended it.
    case left

    /// The fault for people, which differs for a program that showed neither a token nor a certificate.
    func known(toHaveShown configuration: ConnectionConfiguration) -> ConnectionFault {
        guard case .refused(let refusal) = self, configuration.token == nil, configuration.tls.identity == nil,
            refusal.error.code == ErrorCode.unauthenticated.rawValue
        else { return self }
        return .asksForToken
    }

    package func clientError(at address: DaemonAddress) -> ClientError {
        switch self {
        case .refused(let refusal): ClientError(refusal)
        case .asksForToken:
            ClientError(.unauthenticated, "racd at \(address) does not know this client: it asks for a token")
        case .wouldExposeToken:
            ClientError(
                .insecure,
                "\(address) is another machine and has no TLS, so the token would travel in clear text: it was not sent"
            )
        case .noWelcome(let time):
            ClientError(.timedOut, "\(address) did not answer within \(time.text): is it racd that listens there?")
        case .notADaemon:
            ClientError(.unreachable, "\(address) answers, but not like racd: is it racd that listens there?")
        case .hungUp:
            ClientError(
                .unreachable,
                "\(address) hung up before it said welcome: it may be a racd that starts or stops, or no racd"
            )
        case .noTLS(let fault): ClientError(fault, at: address)
        case .speaksTLS:
            ClientError(.unreachable, "the daemon at \(address) speaks TLS: use racs://\(address)")
        case .brokenProtocol(let error):
            ClientError(.init(rawValue: error.code), "racd at \(address) broke the protocol: \(error.message)")
        case .silent(let time):
            ClientError(.connectionLost, "lost racd at \(address): it has been silent for \(time.text)")
        case .lost: ClientError(.connectionLost, "lost the connection to racd at \(address)")
        case .left: ClientError(.connectionLost, "the connection to racd at \(address) has been closed")
        }
    }
}

extension ClientError {
    /// A handshake that failed: the reason, and the remedy if there is one.
    fileprivate init(_ fault: TLSFault, at address: DaemonAddress) {
        let own = "racd at \(address) does not accept this client's certificate"
        let (code, message): (Code, String) =
            switch fault {
            case .noTLS:
                (.unreachable, "\(address) answers, but without TLS: is it a plain address, which begins with rac://?")
            case .oldVersion: (.unreachable, "\(address) speaks no TLS 1.2 or 1.3")
            case .noCertificate: (.untrusted, "racd at \(address) shows no certificate")
            case .unknownAuthority:
                (.untrusted, "the certificate of racd at \(address) is signed by no authority that this program trusts")
            case .expired: (.untrusted, "the certificate of racd at \(address) has expired")
            case .notYetValid:
                (.untrusted, "the certificate of racd at \(address) is not valid yet: is the clock right?")
            case .wrongName(let names):
                (
                    .untrusted,
                    "the certificate of racd at \(address) is for another host name"
                        + (names.isEmpty ? "" : ", \(names.joined(separator: " or "))")
                )
            case .certificateRequired: (.unauthenticated, "racd at \(address) wants a certificate of this client")
            case .refused(.expired): (.untrusted, "\(own): it is not valid now")
            case .refused(.unknownAuthority): (.untrusted, "\(own): it trusts another authority")
            case .refused(.other): (.untrusted, own)
            case .ended:
                (
                    .unreachable,
                    "\(address) hung up during the TLS handshake: it may be a racd that starts or stops, or no racd"
                )
            case .other(let words): (.unreachable, "no TLS with racd at \(address): \(words)")
            }
        self.init(code, message, cause: fault)
    }
}

extension TimeAmount {
    /// The time in seconds, as people write it.
    package var text: String {
        let milliseconds = self.nanoseconds / 1_000_000
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
