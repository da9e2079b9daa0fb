package import Logging

/// The kinds of audit lines in the log: the value of their key `audit`, by which a reader finds them.
///
/// An audit line has the keys `principal`, `peer`, `verb` and `name` as far as there is one. No line has a token, a
/// one-time code, a value or a session.
package enum AuditKind: String, Sendable {
    /// A client was refused for want of a right.
    case forbidden
    /// A client was refused because racd does not know who it is, or does not any more.
    case unauthenticated
    /// A one-time code was made, or a page signed in by one.
    case code
    /// The configuration was read again, or was not taken.
    case reload
    /// A token was added or revoked, or the token file was not taken.
    case token
    /// The keys of an issuer were read again, or were not taken.
    case keys
}

extension Logger {
    /// Writes an audit line.
    package func audit(
        _ kind: AuditKind,
        _ message: Logger.Message,
        level: Logger.Level = .notice,
        _ metadata: Logger.Metadata = [:]
    ) {
        self.log(level: level, message, metadata: metadata.merging(["audit": "\(kind.rawValue)"]) { $1 })
    }
}
