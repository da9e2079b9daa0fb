package import NIOCore
package import NIOHTTP1
package import RacProtocol

/// The answer to a request, without the headers that every answer has.
package struct WebResponse: Sendable {
    package var status: HTTPResponseStatus
    /// The type of the body, unless it is among the headers.
    private(set) var contentType: StaticString?
    /// The revision that the header `ETag` tells.
    private(set) var revision: Revision?
    package var headers: [(name: String, value: String)]
    package var body: ByteBuffer

    package init(
        _ status: HTTPResponseStatus,
        of revision: Revision? = nil,
        _ headers: [(name: String, value: String)] = [],
        body: ByteBuffer = ByteBuffer()
    ) {
        self.status = status
        self.revision = revision
        self.headers = headers
        self.body = body
    }

    /// An answer of JSON.
    package init(
        _ status: HTTPResponseStatus = .ok,
        json body: ByteBuffer,
        of revision: Revision? = nil,
        _ headers: [(name: String, value: String)] = []
    ) {
        self.init(status, of: revision, headers, body: body)
        self.contentType = "application/json"
    }

    /// The header with the methods that a path takes.
    package static func allow(_ methods: [HTTPMethod]) -> (name: String, value: String) {
        ("Allow", methods.map(\.rawValue).joined(separator: ", "))
    }

    /// The answer to a refused request.
    package init(_ problem: WebProblem) {
        self.init(problem.status, of: problem.refusal.revision, body: problem.body)
        self.contentType = "application/problem+json"
        if problem.status == .unauthorized { self.headers.append(("WWW-Authenticate", "Bearer")) }
        if problem.status == .tooManyRequests || problem.status == .serviceUnavailable {
            self.headers.append(("Retry-After", "1"))
        }
        if !problem.methods.isEmpty { self.headers.append(Self.allow(problem.methods)) }
        if problem.status == .upgradeRequired {
            self.headers += [("Upgrade", "websocket"), ("Sec-WebSocket-Version", "13")]
        }
    }
}

/// Writes answers as bytes, with the headers that every answer has.
package struct ResponseWriter: Sendable {
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

    /// The form in which the end of a body is told.
    package enum Framing: Equatable, Sendable {
        case length
        case chunks
        /// The body ends with the connection, as for clients of HTTP/1.0.
        case untilClose
        /// The connection goes on in another protocol.
        case switched
    }

    private let head: HTTPRequestHead?
    private let page: WebRules.Page
    private let isLast: Bool

    /// - Parameters:
    ///   - head: The request; nil for one that could not be read.
    ///   - page: The relation of the page that sent it.
    ///   - isLast: Whether the connection ends behind the answer.
    package init(to head: HTTPRequestHead?, _ page: WebRules.Page, isLast: Bool) {
        self.head = head
        self.page = page
        self.isLast = isLast
    }

    package func write(_ response: WebResponse, _ framing: Framing, date: String) -> ByteBuffer {
        var bytes = ByteBuffer()
        bytes.reserveCapacity(640 + response.body.readableBytes)
        bytes.writeStaticString("HTTP/1.1 ")
        bytes.writeString(String(response.status.code))
        bytes.writeStaticString(" ")
        bytes.writeString(response.status.reasonPhrase)
        bytes.writeStaticString("\r\n")
        bytes.write("Date", date)
        bytes.writeStaticString(Self.guards)
        if let type = response.contentType {
            bytes.writeStaticString("Content-Type: ")
            bytes.writeStaticString(type)
            bytes.writeStaticString("\r\n")
        }
        if let revision = response.revision {
            bytes.writeStaticString("ETag: \"")
            bytes.writeString(String(revision.number))
            bytes.writeStaticString("\"\r\n")
        }
        for (name, value) in response.headers { bytes.write(name, value) }
        self.writeCORS(to: &bytes)
        switch framing {
        case .length where response.status == .noContent || response.status == .notModified: break
        case .length: bytes.write("Content-Length", String(response.body.readableBytes))
        case .chunks: bytes.writeString("Transfer-Encoding: chunked\r\n")
        case .untilClose, .switched: break
        }
        if framing != .switched { self.writeConnection(to: &bytes) }
        bytes.writeString("\r\n")
        if self.head?.method != .HEAD { bytes.writeImmutableBuffer(response.body) }
        return bytes
    }

    private func writeConnection(to bytes: inout ByteBuffer) {
        if self.isLast {
            bytes.writeString("Connection: close\r\n")
        } else if self.head?.version != .http1_1 {
            bytes.writeString("Connection: keep-alive\r\n")
        }
    }

    private func writeCORS(to bytes: inout ByteBuffer) {
        guard case .configured(let origin) = self.page else { return }
        bytes.writeString("Access-Control-Allow-Origin: \(origin)\r\nVary: Origin\r\n")
        bytes.writeString("Access-Control-Expose-Headers: ETag, Location, Rac-By, Rac-Mode, Rac-State\r\n")
        guard self.head?.method == .OPTIONS else { return }
        bytes.writeString("Access-Control-Allow-Methods: GET, HEAD, PUT, POST, DELETE\r\n")
        let headers = "Authorization, Content-Type, If-Match, If-None-Match, Last-Event-ID"
        bytes.writeString("Access-Control-Allow-Headers: \(headers)\r\nAccess-Control-Max-Age: 600\r\n")
    }
}

extension ByteBuffer {
    /// Writes a header; an interpolated text would take several times as long.
    fileprivate mutating func write(_ name: String, _ value: String) {
        self.writeString(name)
        self.writeStaticString(": ")
        self.writeString(value)
        self.writeStaticString("\r\n")
    }

    /// Wraps bytes as one chunk.
    package static func chunk(_ bytes: ByteBuffer) -> ByteBuffer {
        var chunk = ByteBuffer(string: "\(String(bytes.readableBytes, radix: 16))\r\n")
        chunk.writeImmutableBuffer(bytes)
        chunk.writeString("\r\n")
        return chunk
    }

    /// The chunk that ends a body.
    package static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
}
