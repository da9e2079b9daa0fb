/// An error on the wire: a code for programs, a message for people, and optional data.
///
/// Semantics: protocol.md, "Errors".
public struct WireError: Error, Hashable, Sendable {
    /// The longest code, in bytes.
    public static let maximumCodeBytes = 255

    /// The kind of the error: one of the daemon's codes, or a code of the program that sent it.
    public let code: String

    /// The event and its remedy.
    public let message: String

    /// Further details, passed on byte for byte.
    public let data: JSONText?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: The kind of the error, 1 to 255 bytes.
    ///   - message: The event and its remedy.
    ///   - data: Further details.
    public init(code: String, message: String, data: JSONText? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

    /// The bytes of its texts and its details.
    package var byteCount: Int { self.code.utf8.count + self.message.utf8.count + (self.data?.byteCount ?? 0) }

    package init(_ code: ErrorCode, _ message: String) {
        self.init(code: code.rawValue, message: message)
    }
}

/// The codes of the daemon's own errors.
///
/// Semantics: protocol.md, "Error codes".
package enum ErrorCode: String, CaseIterable, Sendable {
    case badFrame = "bad-frame"
    case tooLarge = "too-large"
    case badMessage = "bad-message"
    case unknownOperation = "unknown-op"
    case helloFirst = "hello-first"
    case unsupportedVersion = "unsupported-version"
    case unauthenticated
    case forbidden
    case badName = "bad-name"
    case noSuchChannel = "no-such-channel"
    case exists
    case alreadyBound = "already-bound"
    case notBound = "not-bound"
    case forgotten
    case terminated
    case conflict
    case noSuchCommand = "no-such-command"
    case alreadyHosted = "already-hosted"
    case notHosted = "not-hosted"
    case notEnabled = "not-enabled"
    case hostLost = "host-lost"
    case slowConsumer = "slow-consumer"
    case limit
    case storage
    case shuttingDown = "shutting-down"
}
