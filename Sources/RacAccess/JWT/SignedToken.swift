/// A JWT as a client shows it, cut into its parts; nothing of it can be relied on (RFC 7515, RFC 7519).
struct SignedToken {
    /// The length of the longest token, in bytes.
    private static let longest = 16 << 10
    /// The types of tokens that are for access; another one may be signed by the same key for something else.
    private static let types = ["jwt", "at+jwt", "application/jwt", "application/at+jwt"]

    let header: JSONMembers
    let claims: JSONMembers
    /// The bytes that are signed: the first two parts with their dot.
    let signed: [UInt8]
    let signature: [UInt8]

    /// Whether a token has the three parts of a JWT.
    static func hasForm(_ token: String) -> Bool {
        token.utf8.reduce(0) { $0 + ($1 == UInt8(ascii: ".") ? 1 : 0) } == 2
    }

    init(_ token: String) throws(TokenFault) {
        guard token.utf8.count <= Self.longest else {
            throw TokenFault(.form, "the JWT has more than \(Self.longest) bytes")
        }
        let parts = token.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else { throw TokenFault(.form, "the token has not the three parts of a JWT") }
        self.header = try Self.members(parts[0], "the header of the JWT")
        self.claims = try Self.members(parts[1], "the object of claims of the JWT")
        self.signed = parts[0] + [UInt8(ascii: ".")] + parts[1]
        self.signature = try Self.bytes(parts[2], "the signature of the JWT")
        try self.checkHeader()
    }

    private static func bytes(_ part: some Collection<UInt8>, _ name: String) throws(TokenFault) -> [UInt8] {
        guard let bytes = Base64URL.bytes(part) else {
            throw TokenFault(.form, "\(name) is not in base64url without padding")
        }
        return bytes
    }

    private static func members(_ part: some Collection<UInt8>, _ name: String) throws(TokenFault) -> JSONMembers {
        let bytes = try Self.bytes(part, name)
        do throws(JSONMembers.Fault) {
            return try JSONMembers(bytes)
        } catch {
            throw TokenFault(.form, "\(name) is no JSON object: \(error)")
        }
    }

    private func checkHeader() throws(TokenFault) {
        guard !self.header.has("crit") else {
            throw TokenFault(.header, "the header of the JWT has 'crit', and racd knows no such extension")
        }
        guard self.header.has("typ") else { return }
        guard let type = self.header.string("typ"), Self.types.contains(type.lowercased()) else {
            let type = self.header.string("typ").map(TokenFault.shown) ?? "no text"
            throw TokenFault(.header, "the type of the JWT is \(type): racd takes JWT and at+jwt")
        }
    }
}
