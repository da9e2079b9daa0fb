/// The public keys of an issuer, as its JWKS file has them (RFC 7517).
///
/// Keys for encryption, and of kinds that racd does not know, are passed over.
package struct JSONWebKeySet: Sendable {
    /// A set without keys, so that no token is good.
    package static let empty = JSONWebKeySet(keys: [:])

    /// The limit of keys.
    private static let limit = 256

    private let keys: [ExactText: JSONWebKey]

    private init(keys: [ExactText: JSONWebKey]) {
        self.keys = keys
    }

    /// Reads the text of a JWKS file, and throws ``RuleError`` with its first fault.
    package init(_ text: String) throws(RuleError) {
        var keys: [ExactText: JSONWebKey] = [:]
        for members in try Self.members(text) {
            guard let key = try JSONWebKey.read(members) else { continue }
            guard keys.updateValue(key, forKey: ExactText(key.id)) == nil else {
                throw RuleError("two keys have the 'kid' \(TokenFault.shown(key.id))")
            }
            guard keys.count <= Self.limit else { throw RuleError("the key set has more than \(Self.limit) keys") }
        }
        guard !keys.isEmpty else {
            throw RuleError("the key set has no key for signatures of RSA, P-256, P-384 or Ed25519")
        }
        self.init(keys: keys)
    }

    private static func members(_ text: String) throws(RuleError) -> [JSONMembers] {
        do throws(JSONMembers.Fault) {
            guard let keys = try JSONMembers(Array(text.utf8)).objects("keys") else {
                throw JSONMembers.Fault.noObject
            }
            return keys
        } catch .noObject {
            throw RuleError("a key set is an object with an array 'keys' of objects")
        } catch {
            throw RuleError("the key set is no JSON of a key set: \(error)")
        }
    }

    package var count: Int { self.keys.count }

    subscript(id: String) -> JSONWebKey? { self.keys[ExactText(id)] }

    /// Whether a key is in the set and may sign by an algorithm.
    func has(_ encoded: [UInt8], for algorithm: JWTAlgorithm) -> Bool {
        self.keys.values.contains { $0.key.encoded == encoded && $0.algorithm ?? algorithm == algorithm }
    }
}
