package import RacAccess
import Synchronization

/// The sessions of pages that have signed in: a secret in a cookie stands for the credentials that were proved.
///
/// A session holds no rights. Each connection that brings the secret is judged by its credentials, so a token that is
/// revoked or over ends the session with it.
///
/// Semantics: docs/web.md, "Signing in".
package final class WebSessions: Sendable {
    /// The time after which a session is over, in milliseconds.
    package static let lifetime: UInt64 = 12 * 60 * 60 * 1000

    /// The sessions that one principal has at a time.
    package static let maximumOfPrincipal = 100

    private static let maximumCount = 10_000

    private struct Session {
        let credentials: Credentials
        let principal: ExactText?
        let end: UInt64
    }

    package let cookie: SessionCookie

    private let sessions = Mutex<[TokenHash: Session]>([:])
    private let codes = Mutex(SignInCodes())

    /// - Parameter mark: Letters and digits that no other daemon has.
    package init(mark: String) {
        self.cookie = SessionCookie(mark: mark)
    }

    /// Begins a session; the principal's oldest ones give way to it, and the oldest of all if there are too many.
    ///
    /// - Parameters:
    ///   - credentials: The proofs with which it begins.
    ///   - principal: The principal of these proofs; nil while the daemon is open.
    ///   - now: The time of a clock that nobody sets, in milliseconds.
    /// - Returns: The secret of the session.
    package func begin(_ credentials: Credentials, of principal: String?, at now: UInt64) -> String {
        let secret = NewToken.make()
        let principal = principal.map(ExactText.init)
        self.sessions.withLock { sessions in
            let isOwn = { (session: Session) in session.principal == principal }
            if sessions.values.count(where: isOwn) >= Self.maximumOfPrincipal {
                Self.dropOldest(of: &sessions, where: isOwn)
            } else if sessions.count >= Self.maximumCount {
                Self.dropOldest(of: &sessions) { _ in true }
            }
            sessions[TokenHash(of: secret)] = Session(
                credentials: credentials,
                principal: principal,
                end: now + Self.lifetime
            )
        }
        return secret
    }

    private static func dropOldest(of sessions: inout [TokenHash: Session], where mayGo: (Session) -> Bool) {
        var oldest: (hash: TokenHash, end: UInt64)?
        for (hash, session) in sessions where mayGo(session) && session.end < oldest?.end ?? .max {
            oldest = (hash, session.end)
        }
        if let oldest { sessions[oldest.hash] = nil }
    }

    /// The credentials of a session; nil if there is none, or it is over.
    package func credentials(of secret: String, at now: UInt64) -> Credentials? {
        self.sessions.withLock { sessions in
            let hash = TokenHash(of: secret)
            guard let session = sessions[hash] else { return nil }
            guard session.end > now else {
                sessions[hash] = nil
                return nil
            }
            return session.credentials
        }
    }

    /// Makes a one-time code with which a page signs in.
    ///
    /// - Parameters:
    ///   - credentials: The proofs of the program that asks for it.
    ///   - principal: The program's principal.
    ///   - now: The time of a clock that nobody sets, in milliseconds.
    /// - Returns: The code; nil if there are too many.
    package func makeCode(for credentials: Credentials, of principal: String, at now: UInt64) -> String? {
        let code = NewToken.make()
        return self.codes.withLock { $0.add(code, for: credentials, of: principal, at: now) } ? code : nil
    }

    /// The credentials that a one-time code stands for; nil if it does not work, or not any more.
    package func use(code: String, at now: UInt64) -> Credentials? {
        self.codes.withLock { $0.use(code, at: now) }
    }

    /// Ends a session.
    package func end(_ secret: String) {
        _ = self.sessions.withLock { $0.removeValue(forKey: TokenHash(of: secret)) }
    }
}
