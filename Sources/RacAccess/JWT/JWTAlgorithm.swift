import CCrypto

/// An algorithm by which issuers sign JWTs (RFC 7518, RFC 8037): the public half of a key checks each of them.
///
/// A secret that signs and checks would let a reader of the daemon's files make tokens, so there is no HS256.
package enum JWTAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case edDSA = "EdDSA"

    /// The kind of keys by which it signs.
    var kind: PublicKey.Kind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .p256
        case .es384: .p384
        case .edDSA: .ed25519
        }
    }

    /// Whether a signature has random padding (PSS).
    var isPadded: Bool {
        switch self {
        case .ps256, .ps384, .ps512: true
        case .rs256, .rs384, .rs512, .es256, .es384, .edDSA: false
        }
    }

    /// The hash function of libcrypto; nil if the signature has one of its own.
    var digest: OpaquePointer? {
        switch self {
        case .rs256, .ps256, .es256: EVP_sha256()
        case .rs384, .ps384, .es384: EVP_sha384()
        case .rs512, .ps512: EVP_sha512()
        case .edDSA: nil
        }
    }
}
