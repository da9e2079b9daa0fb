/// An act of a server that the protocol does not foresee, or that a benchmark cannot go on with.
package enum ProtocolError: Error, CustomStringConvertible {
    /// The server ended a connection.
    case ended
    /// A message claims this many bytes.
    case framing(Int)
    /// A message that has no place here, as it came.
    case unexpected(String)
    /// TLS failed, in OpenSSL's words.
    case tls(String)
    /// An awaited event did not happen in time.
    case late(String)

    /// An error that shows the beginning of a message that should not have come.
    static func unexpected(_ message: Span<UInt8>) -> ProtocolError {
        .unexpected(message.text(0..<min(message.count, 200)))
    }

    package var description: String {
        switch self {
        case .ended: "the server ended the connection"
        case .framing(let length): "the server sent a message of \(length) bytes"
        case .unexpected(let message): "the server sent \(message)"
        case .tls(let words): "TLS failed: \(words)"
        case .late(let what): "\(what) did not happen in time"
        }
    }
}
