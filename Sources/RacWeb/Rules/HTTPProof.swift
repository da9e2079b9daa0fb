package import RacAccess

/// The proofs of identity that a request brings: its token, or the secret of a session in its cookie.
package struct HTTPProof: Equatable, Sendable {
    package var token: TokenHash?
    package var session: String?

    package init(_ request: WebRequest, _ cookie: SessionCookie, isTLS: Bool) throws(WebProblem) {
        self.token = try request.token().map(TokenHash.init(of:))
        self.session = self.token == nil ? cookie.secret(in: request, isTLS: isTLS) : nil
    }
}
