package import NIOCore
package import NIOHTTP1
package import RacProtocol

/// The answer to a request, without the headers that every answer has.
package struct WebResponse: Sendable {
    package var status: HTTPResponseStatus
    /// The type of the body, unless it is among the headers.
    private(set) var contentType: StaticString?
    /// The revision in the header `ETag`.
    private(set) var revision: Revision?
    /// The channel whose value the answer has.
    private(set) var channel: Channel?
    /// Whether the answer is a file of the user's, which may use more than a page of the daemon.
    package var isUsers = false
    /// Whether the header `Accept` selects the form of the answer, which caches have to know.
    var variesByAccept = false
    package var headers: [(name: String, value: String)]
    package var body: SplitText

    package init(
        _ status: HTTPResponseStatus,
        of revision: Revision? = nil,
        _ headers: [(name: String, value: String)] = [],
        body: SplitText = SplitText()
    ) {
        self.status = status
        self.revision = revision
        self.headers = headers
        self.body = body
    }

    /// An answer of JSON.
    package init(
        _ status: HTTPResponseStatus = .ok,
        json body: SplitText,
        of revision: Revision? = nil,
        _ headers: [(name: String, value: String)] = []
    ) {
        self.init(status, of: revision, headers, body: body)
        self.contentType = "application/json"
    }

    /// The properties of a channel that headers have in addition to its value.
    struct Channel: Sendable {
        let state: ChannelStateWord
        let mode: ChannelMode
    }

    /// The answer with a channel's value, unless it has none or the client knows it.
    init(
        _ status: HTTPResponseStatus,
        valueOf channel: Channel,
        _ value: JSONText? = nil,
        of revision: Revision,
        _ headers: [(name: String, value: String)]
    ) {
        self.init(status, of: revision, headers, body: value.map { SplitText($0) } ?? SplitText())
        self.contentType = value == nil ? nil : "application/json"
        self.channel = channel
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
        if let seconds = problem.retryAfter { self.headers.append(("Retry-After", "\(seconds)")) }
        if !problem.methods.isEmpty { self.headers.append(Self.allow(problem.methods)) }
        if problem.status == .upgradeRequired {
            self.headers += [("Upgrade", "websocket"), ("Connection", "Upgrade"), ("Sec-WebSocket-Version", "13")]
        }
    }
}

/// Writes answers as bytes, with the headers that every answer has.
package struct ResponseWriter: Sendable {
    /// The form in which the end of a body is marked.
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

    /// Writes an answer, without its body if that has long values: then the body comes behind these bytes.
    ///
    /// - Parameters:
    ///   - response: The answer.
    ///   - framing: The form in which the end of its body is marked.
    ///   - common: The headers that every answer has.
    ///   - bytes: Memory for the answer, whose earlier bytes are dropped.
    package func write(
        _ response: WebResponse,
        _ framing: Framing,
        _ common: ByteBuffer,
        into bytes: inout ByteBuffer
    ) {
        bytes.clear(minimumCapacity: 640 + response.body.short.readableBytes)
        bytes.writeStatus(response.status)
        bytes.writeImmutableBuffer(common)
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
        if response.variesByAccept { bytes.writeStaticString("Vary: Accept\r\n") }
        if let channel = response.channel { bytes.write(channel) }
        for (name, value) in response.headers { bytes.write(name, value) }
        self.writeCORS(to: &bytes)
        switch framing {
        case .length where response.status == .noContent || response.status == .notModified: break
        case .length:
            bytes.writeStaticString("Content-Length: ")
            bytes.writeString(String(response.body.count))
            bytes.writeStaticString("\r\n")
        case .chunks: bytes.writeString("Transfer-Encoding: chunked\r\n")
        case .untilClose, .switched: break
        }
        if framing != .switched { self.writeConnection(to: &bytes) }
        bytes.writeStaticString("\r\n")
        if self.hasBody, response.body.long.isEmpty { bytes.writeImmutableBuffer(response.body.short) }
    }

    /// Whether the answer has its body.
    package var hasBody: Bool { self.head?.method != .HEAD }

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
    /// Writes the first line of an answer.
    fileprivate mutating func writeStatus(_ status: HTTPResponseStatus) {
        guard status != .ok else {
            self.writeStaticString("HTTP/1.1 200 OK\r\n")
            return
        }
        self.writeStaticString("HTTP/1.1 ")
        self.writeString(String(status.code))
        self.writeStaticString(" ")
        self.writeString(status.reasonPhrase)
        self.writeStaticString("\r\n")
    }

    /// Writes the headers of a channel's value.
    fileprivate mutating func write(_ channel: WebResponse.Channel) {
        self.writeStaticString("Cache-Control: no-cache\r\nRac-State: ")
        self.writeString(channel.state.rawValue)
        self.writeStaticString("\r\nRac-Mode: ")
        self.writeString(channel.mode.rawValue)
        self.writeStaticString("\r\n")
    }

    /// Writes a header; an interpolated text would take several times as long.
    fileprivate mutating func write(_ name: String, _ value: String) {
        self.writeString(name)
        self.writeStaticString(": ")
        self.writeString(value)
        self.writeStaticString("\r\n")
    }

    /// The chunk that ends a body.
    package static let lastChunk = ByteBuffer(string: "0\r\n\r\n")
}

extension SplitText {
    /// A text as one chunk of a body.
    package static func chunk(_ text: SplitText) -> SplitText {
        var chunk = SplitText("\(String(text.count, radix: 16))\r\n")
        chunk.append(text)
        chunk.append("\r\n")
        return chunk
    }
}
