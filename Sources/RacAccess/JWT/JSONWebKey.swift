/// A key of an issuer, as its key set has it (RFC 7517).
struct JSONWebKey: Sendable {
    /// The members of private and of secret keys.
    private static let secrets = ["d", "p", "q", "dp", "dq", "qi", "oth", "k"]
    /// The lengths that a modulus of RSA may have, in bits.
    private static let modulusBits = 2048...8192

    let id: String
    /// The only algorithm that the key is for; nil for each that fits it.
    let algorithm: JWTAlgorithm?
    let key: PublicKey

    /// Reads a key; nil for a key that is for something else than signatures that racd knows.
    ///
    /// - Throws: ``RuleError``: a private key, or a fault in a key that is meant for racd.
    static func read(_ members: JSONMembers) throws(RuleError) -> JSONWebKey? {
        let id = members.string("kid")
        let name = id.map { "the key \(TokenFault.shown($0))" } ?? "a key without 'kid'"
        guard !Self.secrets.contains(where: members.has) else {
            throw RuleError("\(name) is private or secret: a key set has public keys only")
        }
        let algorithm = members.string("alg").map(JWTAlgorithm.init)
        guard members.string("use") ?? "sig" == "sig", members.strings("key_ops")?.contains("verify") ?? true,
            algorithm != .some(nil), let kind = Self.kind(members)
        else { return nil }
        guard let id, !id.isEmpty else { throw RuleError("\(name) cannot be chosen by a token: give it a 'kid'") }
        guard algorithm?.map({ $0.kind == kind }) ?? true else {
            throw RuleError("\(name) has another type than its 'alg' needs")
        }
        guard let key = try Self.key(kind, members, name) else {
            throw RuleError("\(name) is damaged: its numbers are those of no key")
        }
        return JSONWebKey(id: id, algorithm: algorithm ?? nil, key: key)
    }

    private static func kind(_ members: JSONMembers) -> PublicKey.Kind? {
        switch (members.string("kty"), members.string("crv")) {
        case ("RSA", _): .rsa
        case ("EC", "P-256"): .p256
        case ("EC", "P-384"): .p384
        case ("OKP", "Ed25519"): .ed25519
        default: nil
        }
    }

    private static func key(
        _ kind: PublicKey.Kind,
        _ members: JSONMembers,
        _ name: String
    ) throws(RuleError)
        -> PublicKey?
    {
        func number(_ member: String, bytes: Int) -> [UInt8]? {
            members.string(member).flatMap { Base64URL.bytes($0.utf8) }.flatMap { $0.count == bytes ? $0 : nil }
        }
        func point(_ bytes: Int) -> PublicKey? {
            guard let x = number("x", bytes: bytes), let y = number("y", bytes: bytes) else { return nil }
            return PublicKey(kind, point: x + y)
        }
        switch kind {
        case .rsa: return try Self.rsa(members, name)
        case .p256: return point(32)
        case .p384: return point(48)
        case .ed25519: return number("x", bytes: 32).flatMap { PublicKey(kind, point: $0) }
        }
    }

    private static func rsa(_ members: JSONMembers, _ name: String) throws(RuleError) -> PublicKey? {
        func number(_ member: String) -> [UInt8]? {
            members.string(member).flatMap { Base64URL.bytes($0.utf8) }.map { Array($0.drop { $0 == 0 }) }
        }
        guard let modulus = number("n"), let first = modulus.first, let exponent = number("e") else { return nil }
        let bits = modulus.count * 8 - first.leadingZeroBitCount
        guard Self.modulusBits.contains(bits) else {
            let (least, most) = (Self.modulusBits.lowerBound, Self.modulusBits.upperBound)
            throw RuleError("\(name) has \(bits) bits: a key of RSA has \(least) to \(most)")
        }
        // A long exponent would make each check slow, and an even number is that of no key.
        let isOdd = [modulus, exponent].allSatisfy { $0.last.map { $0 & 1 == 1 } ?? false }
        guard isOdd, exponent.count <= 4, exponent != [1] else { return nil }
        return PublicKey(modulus: modulus, exponent: exponent)
    }
}
