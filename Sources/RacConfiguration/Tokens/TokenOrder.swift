package import RacAccess

/// An operator's wish for a new token.
package struct TokenOrder: Sendable {
    package let name: PrincipalName
    /// The roles; empty for those that the principal has already.
    package let roles: [String]
    /// The end of its time, in milliseconds since 1970 UTC; nil if it has none.
    package let expiresAt: Int64?

    package init(name: PrincipalName, roles: [String], expiresAt: Int64?) {
        self.name = name
        self.roles = roles
        self.expiresAt = expiresAt
    }

    /// The token as the file keeps it.
    ///
    /// - Parameters:
    ///   - hash: The hash of the token.
    ///   - tokens: The tokens that are in the file.
    ///   - access: The roles and principals of the configuration file; nil if they are not known.
    ///   - time: The present time, in milliseconds since 1970 UTC.
    /// - Returns: The token.
    /// - Throws: `RuleError`: no roles, others than the principal has, or one that does not exist.
    package func stored(
        _ hash: TokenHash,
        among tokens: [StoredToken],
        access: AccessSettings?,
        at time: Int64
    ) throws(RuleError) -> StoredToken {
        let principal = access?.principals.first { $0.name == self.name }
        let earlier = tokens.first { $0.name == self.name && $0.roles != nil }?.roles
        let roles = self.roles.isEmpty ? principal == nil ? earlier : nil : self.roles
        let token = StoredToken(
            name: self.name,
            roles: roles,
            hash: hash,
            createdAt: time,
            expiresAt: self.expiresAt
        )
        if let present = principal?.roles ?? earlier { try self.check(against: present) }
        guard principal != nil || roles != nil else {
            throw RuleError("'\(self.name)' has no roles yet: name them with --role")
        }
        if let access, let unknown = roles?.first(where: { !access.roles.map(\.name).containsExactly($0) }) {
            throw RuleError("there is no role '\(unknown)' in the configuration file")
        }
        return token
    }

    private func check(against present: [String]) throws(RuleError) {
        guard !self.roles.isEmpty, Set(self.roles.map(ExactText.init)) != Set(present.map(ExactText.init)) else {
            return
        }
        let has = present.isEmpty ? "no roles" : "the roles \(present.joined(separator: ", "))"
        throw RuleError("'\(self.name)' has \(has): leave --role out, or choose another name")
    }
}

/// The end of a token's time as an operator writes it: a span from now, such as `90d`, or a date.
package enum TokenEnd {
    private static let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    private static let longest: Int64 = 100 * 366 * 86_400

    /// Reads an end.
    ///
    /// - Parameters:
    ///   - text: Numbers with units, `1d12h`, or a date in UTC with or without a time, as TOML has them.
    ///   - now: The present time, in milliseconds since 1970 UTC.
    /// - Returns: The end, in milliseconds since 1970 UTC.
    /// - Throws: `RuleError` if the text is neither, or not a later time.
    package static func milliseconds(_ text: String, from now: Int64) throws(RuleError) -> Int64 {
        if case .time(let end)? = TOMLScalar.item(text) {
            guard end > now else { throw RuleError("\(text) is over: name a later time") }
            return end
        }
        return now + (try Self.seconds(text)) * 1000
    }

    private static func seconds(_ text: String) throws(RuleError) -> Int64 {
        let fault = RuleError(
            "the end of a token is a time from now, such as 90d or 1d12h (s, m, h, d or w), up to 100 years, or a date, "
                + "such as 2027-01-31 or 2027-01-31T12:00:00Z"
        )
        var seconds: Int64 = 0
        var rest = text[...]
        while let end = rest.firstIndex(where: { Self.units[$0] != nil }) {
            guard let unit = Self.units[rest[end]], let count = Int64(rest[..<end]), count > 0,
                count <= (Self.longest - seconds) / unit
            else { throw fault }
            seconds += count * unit
            rest = rest[rest.index(after: end)...]
        }
        guard rest.isEmpty, seconds > 0 else { throw fault }
        return seconds
    }
}
