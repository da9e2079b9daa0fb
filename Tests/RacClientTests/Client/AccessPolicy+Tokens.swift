import Foundation
import RacAccess

extension AccessPolicy {
    /// Rules for one principal that may do everything in `room`, and that these tokens stand for.
    ///
    /// - Parameters:
    ///   - tokens: The tokens.
    ///   - brief: A further token, and the time that it has.
    ///   - lacking: A verb that the principal does not have.
    ///   - name: The principal's name.
    /// - Returns: The rules.
    /// - Throws: `RuleError`.
    static func kiosk(
        _ tokens: [String],
        brief: (token: String, time: Duration)? = nil,
        lacking: Verb? = nil,
        named name: String = "kiosk"
    ) throws -> AccessPolicy {
        let patterns = [try RulePattern("room/**")]
        let grants = Dictionary(uniqueKeysWithValues: Verb.allCases.filter { $0 != lacking }.map { ($0, patterns) })
        let role = AccessRole(name: "kiosk", grants: grants, denied: [], isAdministrator: false)
        var all = tokens.map { Principal.Token(hash: TokenHash(of: $0)) }
        if let brief {
            let end = Date.now.timeIntervalSince1970 + brief.time / .seconds(1)
            all.append(Principal.Token(hash: TokenHash(of: brief.token), expiresAt: Int64(end * 1000)))
        }
        let principal = Principal(name: try PrincipalName(name), roles: ["kiosk"], tokens: all)
        return try AccessPolicy(roles: [role], principals: [principal])
    }
}
