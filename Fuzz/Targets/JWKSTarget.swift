import RacAccess

/// A text as the JWKS file of an issuer.
///
/// A refusal is short; an accepted set has keys, and none for a text with secrets.
enum JWKSTarget {
    static func run(_ input: [UInt8]) throws {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        do throws(RuleError) {
            let set = try JSONWebKeySet(text)
            guard (1...256).contains(set.count) else { throw RuleError("") }
        } catch {
            guard !error.description.isEmpty else { throw Finding("a set without keys is taken") }
            guard error.description.unicodeScalars.count < 400 else { throw Finding("the reason is \(error)") }
        }
    }
}
