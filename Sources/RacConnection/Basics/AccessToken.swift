/// The secret by which a closed daemon knows a client.
///
/// No description, dump or error shows the secret.
///
/// Semantics: protocol.md, "Principals".
public struct AccessToken: Hashable, Sendable {
    /// The length of the longest token, in bytes.
    public static let maximumBytes = 16 << 10

    /// The text that the hello carries.
    package let secret: String

    /// Takes a token as `racd token create` or an issuer of JWTs made it.
    ///
    /// - Parameter text: The token's characters.
    /// - Throws: ``ClientError`` with code `badToken`, whose message does not show the text.
    public init(_ text: String) throws(ClientError) {
        if let fault = Self.fault(of: text) { throw ClientError(.badToken, "the token \(fault)") }
        self.secret = text
    }

    /// The end of a sentence whose subject is the token; nil for a token that can be sent.
    static func fault(of text: String) -> String? {
        if text.isEmpty { return "is empty" }
        if text.utf8.count > Self.maximumBytes {
            return "has \(text.utf8.count) bytes: a token has \(Self.maximumBytes) at most"
        }
        guard text.utf8.allSatisfy((UInt8(ascii: "!")...UInt8(ascii: "~")).contains) else {
            return "has other characters than a token: those are visible ASCII characters, without spaces"
        }
        return nil
    }
}

extension AccessToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// A word that stands for any token.
    public var description: String { "<token>" }

    /// The word of `description`.
    public var debugDescription: String { self.description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
