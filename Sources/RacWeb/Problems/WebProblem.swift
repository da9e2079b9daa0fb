import NIOCore
package import NIOHTTP1
package import RacProtocol

/// The reason why a request is refused, with the code and the message of protocol.md.
///
/// Semantics: docs/web.md, "Errors"; RFC 9457.
package struct WebProblem: Error, Equatable, Sendable {
    package let status: HTTPResponseStatus
    package let refusal: Refusal
    /// The methods that the path takes, for a request with another one.
    package let methods: [HTTPMethod]
    /// The seconds after which the same request may succeed; nil if it needs more than time.
    package let retryAfter: UInt64?

    package init(
        _ status: HTTPResponseStatus,
        _ code: String,
        _ message: String,
        methods: [HTTPMethod] = [],
        retryAfter: UInt64? = nil
    ) {
        self.status = status
        self.refusal = Refusal(WireError(code: code, message: message))
        self.methods = methods
        self.retryAfter = retryAfter
    }

    /// A refusal of the host; of its limits none is a rate, so time alone mends none.
    package init(_ refusal: Refusal) {
        self.status = Self.status(of: refusal.error.code)
        self.refusal = refusal
        self.methods = []
        self.retryAfter = self.status == .serviceUnavailable ? 1 : nil
    }

    /// The refusal of a path that stands for no operation and no file.
    package init(noPath message: String) {
        self.init(.notFound, "unknown-op", message)
    }

    /// The status that stands for a code of protocol.md.
    package static func status(of code: String) -> HTTPResponseStatus {
        switch ErrorCode(rawValue: code) {
        case .badFrame, .badMessage, .unknownOperation, .unsupportedVersion, .badName: .badRequest
        case .helloFirst: .requestTimeout
        case .tooLarge: .payloadTooLarge
        case .unauthenticated: .unauthorized
        case .forbidden: .forbidden
        case .noSuchChannel, .noSuchCommand, .notBound, .notHosted: .notFound
        case .exists, .alreadyBound, .alreadyHosted, .forgotten, .terminated, .notEnabled: .conflict
        case .conflict: .preconditionFailed
        case .limit: .tooManyRequests
        case .hostLost, .slowConsumer, .storage, .shuttingDown: .serviceUnavailable
        // A code of a program that hosts a command: the request was right, and the command failed.
        case nil: .unprocessableEntity
        }
    }

    /// The body of the answer.
    package var body: SplitText {
        var body = ByteBuffer(string: #"{"type":"about:blank","title":"#)
        body.writeJSONString(self.status.reasonPhrase)
        body.writeString(#","status":\#(self.status.code),"code":"#)
        body.writeJSONString(self.refusal.error.code)
        body.writeString(#","detail":"#)
        body.writeJSONString(self.refusal.error.message)
        var split = SplitText(body)
        self.write(data: self.refusal.error.data, as: "data", to: &split)
        if let revision = self.refusal.revision { split.append(#","rev":\#(revision.number)"#) }
        self.write(data: self.refusal.value, as: "value", to: &split)
        if let index = self.refusal.index { split.append(#","index":\#(index)"#) }
        if self.refusal.isApplied { split.append(#","applied":true"#) }
        split.append("}\n")
        return split
    }

    private func write(data: JSONText?, as key: String, to body: inout SplitText) {
        guard let data else { return }
        body.append(#","\#(key)":"#)
        body.append(data)
    }
}
