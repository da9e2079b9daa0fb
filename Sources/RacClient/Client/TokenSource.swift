public import RacConnection

/// Where a client has the token for a closed daemon from.
///
/// A token that never ends is a value:
///
/// ```swift
/// let configuration = ClientConfiguration(token: .token(try AccessToken(text)))
/// ```
///
/// A token that another program renews lies in a file, which is read anew when the daemon refuses the last one:
///
/// ```swift
/// let configuration = ClientConfiguration(token: .file("/run/secrets/kiosk"))
/// ```
///
/// A token for an hour comes from a closure, which is asked again when the daemon refuses the last one:
///
/// ```swift
/// let configuration = ClientConfiguration(token: .closure { try AccessToken(await login.freshToken()) })
/// ```
///
/// A refusal ends the client's attempts only if the source has no other token than the refused one.
public enum TokenSource: Sendable {
    /// One token for the client's whole life.
    case token(AccessToken)
    /// The path of a file with one token; the client's logger warns if other users have rights to it.
    case file(String)
    /// A closure that returns a token, or nil for none.
    ///
    /// The client calls it before the first connection, and again after each refusal. If it throws, the client calls it
    /// again after a pause. Isolation: a task of its own, which is cancelled when the client closes.
    case closure(@Sendable () async throws -> AccessToken?)

    /// Whether the source may return another token later.
    var changes: Bool {
        switch self {
        case .token: false
        case .file, .closure: true
        }
    }

    /// The token that needs no asking.
    var fixed: AccessToken? {
        guard case .token(let token) = self else { return nil }
        return token
    }

    /// Asks for the present token.
    ///
    /// - Parameter warn: Takes a sentence about a file that is not private.
    /// - Returns: The token; nil for none.
    /// - Throws: `ClientError` with code `badToken`, or what the closure throws.
    func next(_ warn: (String) -> Void) async throws -> AccessToken? {
        switch self {
        case .token(let token): return token
        case .file(let path):
            let contents = try AccessTokenFile(path: path).read()
            if let warning = contents.warning { warn(warning) }
            return contents.token
        case .closure(let next): return try await next()
        }
    }
}

extension ClientError {
    /// The reason before the first attempt.
    static var noConnectionYet: ClientError { ClientError(.connectionLost, "there is no connection to racd yet") }

    /// A source of tokens that threw; the message does not show its error, which may hold a secret.
    init(ofTokens error: any Error) {
        self =
            (error as? ClientError)
            ?? ClientError(.badToken, "the closure of ClientConfiguration.token has thrown an error", cause: error)
    }
}
