package import RacAccess

/// The one-time codes by which pages sign in: each stands for the credentials of the program that asked for it.
///
/// A code holds no rights: its credentials are judged when a page brings it. Times are milliseconds of a clock that nobody
/// sets.
///
/// Semantics: docs/web.md, "Signing in".
package struct SignInCodes: Sendable {
    /// The time after which a code is over, in milliseconds.
    package static let lifetime: UInt64 = 60_000

    /// The codes that one principal gets in that time.
    package static let maximumOfPrincipal = 10

    /// The codes of all principals in that time.
    package static let maximumCount = 1000

    private struct Code {
        let principal: ExactText
        let end: UInt64
        /// Nil when a page has used the code, which still counts.
        var credentials: Credentials?
    }

    private var codes: [TokenHash: Code] = [:]

    package init() {}

    /// Keeps a new code.
    ///
    /// - Parameters:
    ///   - code: The code, of which the hash is kept.
    ///   - credentials: The proofs of the program that asked for it.
    ///   - principal: The program's principal.
    ///   - now: The time.
    /// - Returns: Whether the code is kept; not if there are too many.
    package mutating func add(
        _ code: String,
        for credentials: Credentials,
        of principal: String,
        at now: UInt64
    ) -> Bool {
        self.codes = self.codes.filter { $0.value.end > now }
        guard self.codes.count < Self.maximumCount,
            self.codes.values.count(where: { $0.principal == ExactText(principal) }) < Self.maximumOfPrincipal
        else { return false }
        self.codes[TokenHash(of: code)] = Code(
            principal: ExactText(principal),
            end: now + Self.lifetime,
            credentials: credentials
        )
        return true
    }

    /// Takes a code, which works no more then.
    ///
    /// - Returns: The credentials that it stands for; nil if it is not known, was used, or is over.
    package mutating func use(_ code: String, at now: UInt64) -> Credentials? {
        let hash = TokenHash(of: code)
        guard let known = self.codes[hash], known.end > now else { return nil }
        self.codes[hash]?.credentials = nil
        return known.credentials
    }
}
