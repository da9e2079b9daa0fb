/// The reasons with which a WebSocket ends.
///
/// Semantics: RFC 6455, section 7.4.1.
package enum WebSocketCode: UInt16, Sendable {
    case normal = 1000
    case goingAway = 1001
    case protocolError = 1002
    case unsupportedData = 1003
    case invalidText = 1007
    case policy = 1008
    case tooLarge = 1009
}

/// A breach of the framing, behind which a WebSocket ends.
package struct WebSocketFault: Error, Equatable, Sendable {
    package let code: WebSocketCode
    package let reason: String

    init(_ code: WebSocketCode, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
