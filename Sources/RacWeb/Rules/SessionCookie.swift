/// The cookie that carries the secret of a page's session.
///
/// A browser sends a cookie to every port of a host, so each daemon has a name of its own. With the prefix `__Host-`, which
/// needs an encrypted connection, no other host and no plain connection can set it.
package struct SessionCookie: Sendable {
    private static let securePrefix = "__Host-"

    private let name: String

    /// Makes the cookie of a daemon with this mark, which is letters and digits.
    init(mark: String) {
        self.name = "rac_session_\(mark)"
    }

    private var secureName: String { Self.securePrefix + self.name }

    /// The secret that a request brings; a proxy may have ended the TLS of a plain connection.
    package func secret(in request: WebRequest, isTLS: Bool) -> String? {
        request.cookie(self.secureName) ?? (isTLS ? nil : request.cookie(self.name))
    }

    /// The header that sets the cookie, or takes it away if its lifetime in seconds is 0.
    ///
    /// - Parameters:
    ///   - secret: The secret of the session.
    ///   - lifetime: The lifetime in seconds.
    ///   - isTLS: Whether the connection has TLS.
    ///   - request: The request, whose page may have come over TLS to a proxy.
    ///   - page: The relation of that page.
    /// - Returns: The name and the value of the header.
    package func header(
        _ secret: String,
        lifetime: UInt64,
        isTLS: Bool,
        for request: WebRequest,
        of page: WebRules.Page
    ) -> (String, String) {
        let isSecure = isTLS || page.isEncrypted || request.cookie(self.secureName) != nil
        let name = isSecure ? self.secureName : self.name
        let attributes = "Path=/; HttpOnly; SameSite=Strict; Max-Age=\(lifetime)\(isSecure ? "; Secure" : "")"
        return ("Set-Cookie", "\(name)=\(secret); \(attributes)")
    }
}

extension WebRules.Page {
    /// Whether a configured origin says that the browser has TLS to a proxy.
    fileprivate var isEncrypted: Bool {
        if case .configured(let origin) = self { origin.hasPrefix("https://") } else { false }
    }
}
