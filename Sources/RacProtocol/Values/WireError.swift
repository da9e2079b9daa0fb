/// An error as it travels: a code for programs, a message for people, and data if there is more to say.
///
/// Semantics: protocol.md, "Errors".
public struct WireError: Error, Hashable, Sendable {
    /// The longest code, in bytes.
    public static let maximumCodeBytes = 255

    /// What kind of error: one of the daemon's codes, or whatever the program that sent it chose.
    public let code: String

    /// What happened and what helps.
    public let message: String

    /// More about it, passed on byte for byte.
    public let data: JSONText?

    /// Makes an error.
    ///
    /// - Parameters:
    ///   - code: What kind of error, 1 to 255 bytes.
    ///   - message: What happened and what helps.
    ///   - data: More about it.
    public init(code: String, message: String, data: JSONText? = nil) {
        self.code = code
        self.message = message
        self.data = data
    }

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
    case terminated
    case conflict
    case noSuchCommand = "no-such-command"
    case alreadyHosted = "already-hosted"
    case notEnabled = "not-enabled"
    case hostLost = "host-lost"
    case slowConsumer = "slow-consumer"
    case limit
    case storage
    case shuttingDown = "shutting-down"
}
