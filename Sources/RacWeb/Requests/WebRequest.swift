package import NIOCore
package import NIOHTTP1
import RacProtocol

/// A whole request.
package struct WebRequest: Sendable {
    package let head: HTTPRequestHead
    package var body: ByteBuffer

    package init(_ head: HTTPRequestHead, body: ByteBuffer = ByteBuffer()) {
        self.head = head
        self.body = body
    }

    /// The weight of a stream of events; nil if the client does not name it.
    private var weightOfEvents: Double? { self.head.headers.weight("accept", of: "text/event-stream") }

    /// The weight of one value; nil if the client does not name it.
    private var weightOfValue: Double? {
        let headers = self.head.headers
        return headers.weight("accept", of: "application/json") ?? headers.weight("accept", of: "application/*")
    }

    /// The weight of a form that the client does not name.
    private var weightOfOthers: Double { self.head.headers.weight("accept", of: "*/*") ?? 0 }

    /// Whether the client names a stream of events and prefers it to one value; equal weights mean a stream.
    var prefersEvents: Bool {
        guard let weight = self.weightOfEvents, weight > 0 else { return false }
        return weight >= self.weightOfValue ?? self.weightOfOthers
    }

    /// Whether the client names a form and prefers one value to a stream of events.
    var prefersValue: Bool {
        let (value, events) = (self.weightOfValue, self.weightOfEvents)
        guard value != nil || events != nil else { return false }
        return value ?? self.weightOfOthers > 0 && !self.prefersEvents
    }

    /// The revision in an entity tag: `"41"`.
    func revision(_ header: String) throws(WebProblem) -> Revision? {
        let values = self.head.headers[header]
        guard let value = values.first else { return nil }
        guard values.count == 1, let revision = Self.revision(tag: value) else {
            throw WebProblem(
                .badRequest,
                "bad-message",
                "\(header) takes one ETag of the daemon, such as \"41\", and no list, W/ or *"
            )
        }
        return revision
    }

    private static func revision(tag: String) -> Revision? {
        guard tag.count >= 3, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
        return UInt64(digits: tag.dropFirst().dropLast()).map { Revision($0) }
    }

    /// The body as one JSON value.
    func json() throws(WebProblem) -> JSONText {
        do {
            return try JSONText(validating: self.body)
        } catch {
            throw WebProblem(.badRequest, "bad-message", "the body is no JSON: \(error)")
        }
    }

    /// Refuses a body with anything but an empty value, which some clients send with each request.
    func checkNoBody() throws(WebProblem) {
        let text = self.body.readableBytesView.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard ["", "{}", "null", #""""#].contains(where: { text.elementsEqual($0.utf8) }) else {
            throw WebProblem(.badRequest, "bad-message", "a \(self.head.method.rawValue) has no body here")
        }
    }

    /// Whether the connection ends behind the answer.
    ///
    /// The decoder reads nothing behind a request that asks for another protocol.
    package var isLast: Bool {
        !self.head.isKeepAlive || self.head.method == .CONNECT || self.head.headers.has("connection", "upgrade")
    }

    /// The token that the request brings as `Authorization: Bearer`.
    package func token() throws(WebProblem) -> String? {
        let values = self.head.headers["authorization"]
        guard let value = values.first else { return nil }
        let words = value.split(separator: " ", maxSplits: 1)
        guard values.count == 1, words.count == 2, words[0].lowercased() == "bearer" else {
            throw WebProblem(.unauthorized, "unauthenticated", "a token comes as Authorization: Bearer TOKEN")
        }
        return String(words[1])
    }

    /// The value of a cookie.
    package func cookie(_ name: String) -> String? {
        for header in self.head.headers["cookie"] {
            for pair in header.split(separator: ";") {
                let text = pair.drop(while: \.isWhitespace)
                if text.hasPrefix("\(name)=") { return String(text.dropFirst(name.count + 1)) }
            }
        }
        return nil
    }
}
