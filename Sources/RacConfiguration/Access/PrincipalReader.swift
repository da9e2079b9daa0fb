import Glibc
import RacAccess

/// Reads a table `[[principal]]`.
struct PrincipalReader {
    /// Whether tokens of the principal may stand in a token file.
    let hasTokenFile: Bool

    func read(_ table: TableReader) -> Principal? {
        var table = table
        for key in ["name", "roles"] { table.require(key) }
        let name = table.string("name", as: PrincipalName.init)
        let roles = table.strings("roles") ?? []
        let hashes = table.some("token", as: { try TokenHash($0) })
        let expiresAt = table.time("token-expires")
        let certificates = table.some("certificate", as: TableReader.filled)
        let users = table.someWithNumbers("unix-user", as: Self.user)
        if table.has("token-expires"), !table.has("token") {
            table.fault("the principal has no key 'token' that could expire", of: "token-expires")
        }
        if !self.hasTokenFile, !["token", "certificate", "unix-user"].contains(where: table.has) {
            table.fault(
                "nobody can be this principal: give it 'token', 'certificate' or 'unix-user', or set 'token-file'"
            )
        }
        table.end()
        return name.map {
            Principal(
                name: $0,
                roles: roles,
                tokens: hashes.map { Principal.Token(hash: $0, expiresAt: expiresAt) },
                certificates: certificates,
                unixUsers: users
            )
        }
    }

    /// The number of a user by its name or number.
    private static func user(_ text: String) throws(RuleError) -> UInt64 {
        if let number = UInt32(text) { return UInt64(number) }
        guard let user = getpwnam(text) else { throw RuleError("there is no user '\(text)' on this machine") }
        return UInt64(user.pointee.pw_uid)
    }
}
