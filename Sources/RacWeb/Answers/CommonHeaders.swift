package import NIOCore

/// The headers that every answer has, written once a second: the date, and the guards of the daemon's page.
package struct CommonHeaders: Sendable {
    /// The headers by which a browser keeps the daemon's page to itself.
    ///
    /// Semantics: docs/web.md, "What a foreign page may do".
    private static let guards: StaticString = """
        Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
        img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'\r
        X-Content-Type-Options: nosniff\r
        Cross-Origin-Resource-Policy: same-origin\r
        Referrer-Policy: no-referrer\r

        """

    private var second: Int64 = .min
    private var bytes = ByteBuffer()

    package init() {}

    /// The lines of the headers at a moment, in milliseconds since 1970 UTC.
    package mutating func bytes(at wall: Int64) -> ByteBuffer {
        let second = wall / 1000
        if second != self.second {
            self.second = second
            self.bytes = ByteBuffer(string: "Date: \(HTTPDate.text(of: max(0, second)))\r\n\(Self.guards)")
        }
        return self.bytes
    }
}
