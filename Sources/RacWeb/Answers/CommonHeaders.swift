package import NIOCore

/// The headers that every answer has, written once a second: the date, and the guards of a page.
package struct CommonHeaders: Sendable {
    /// The policy of the daemon's pages, which use scripts, styles and images of their own, and nothing else.
    ///
    /// Semantics: docs/web.md, "What a foreign page may do".
    private static let policy: StaticString = """
        default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; \
        base-uri 'none'; form-action 'none'; frame-ancestors 'none'
        """

    /// The policy of the user's pages: whatever comes from the daemon, and what such a page makes itself, but for scripts.
    private static let usersPolicy: StaticString = """
        default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
        img-src 'self' data: blob:; media-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; \
        base-uri 'self'; form-action 'self'; frame-ancestors 'self'
        """

    private var second: Int64 = .min
    private var bytes = ByteBuffer()
    private var usersBytes = ByteBuffer()

    package init() {}

    /// The lines of the headers at a moment, in milliseconds since 1970 UTC.
    ///
    /// - Parameters:
    ///   - wall: The moment.
    ///   - isUsers: Whether the answer is a file of the user's.
    /// - Returns: The lines, each with its end.
    package mutating func bytes(at wall: Int64, isUsers: Bool = false) -> ByteBuffer {
        let second = wall / 1000
        if second != self.second {
            self.second = second
            self.bytes = Self.bytes(at: second, Self.policy)
            self.usersBytes = Self.bytes(at: second, Self.usersPolicy)
        }
        return isUsers ? self.usersBytes : self.bytes
    }

    private static func bytes(at second: Int64, _ policy: StaticString) -> ByteBuffer {
        ByteBuffer(
            string: """
                Date: \(HTTPDate.text(of: max(0, second)))\r
                Content-Security-Policy: \(policy)\r
                X-Content-Type-Options: nosniff\r
                Cross-Origin-Resource-Policy: same-origin\r
                Referrer-Policy: no-referrer\r

                """
        )
    }
}
