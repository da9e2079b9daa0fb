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

    /// Whether the client would rather have this kind of answer than JSON.
    func accepts(_ type: String) -> Bool {
        self.head.headers[canonicalForm: "accept"].contains {
            $0.prefix { $0 != ";" }.trimmingSuffix(while: \.isWhitespace).lowercased() == type
        }
    }

    /// The revision in an entity tag: `"41"`.
    func revision(_ header: String) throws(WebProblem) -> Revision? {
        let values = self.head.headers[header]
        guard let value = values.first else { return nil }
        guard values.count == 1, let revision = Self.revision(tag: value) else {
            throw WebProblem(.badRequest, "bad-message", "\(header) takes one ETag of the daemon, such as \"41\"")
        }
        return revision
    }

    static func revision(tag: some StringProtocol) -> Revision? {
        guard tag.count >= 3, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
        return UInt64(tag.dropFirst().dropLast()).map { Revision($0) }
    }

    /// The body as one JSON value.
    func json() throws(WebProblem) -> JSONText {
        do {
            return try JSONText(validating: self.body)
        } catch {
            throw WebProblem(.badRequest, "bad-message", "the body is no JSON: \(error)")
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

extension Substring {
    fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
        var text = self
        while let last = text.last, isDropped(last) { text.removeLast() }
        return text
    }
}
