import CCrypto
import FoundationEssentials

/// An issuer of JWTs in a test, with one key, which libcrypto makes.
///
/// Guards: libcrypto only reads the key once it is made, so threads may share it.
package final class TestIssuer: @unchecked Sendable {
    /// The kind of the key.
    package enum Kind: Hashable, Sendable {
        case rsa(bits: Int32)
        case p256
        case p384
        case ed25519

        /// The algorithm by which the issuer signs unless the test names another one.
        package var algorithm: String {
            switch self {
            case .rsa: "RS256"
            case .p256: "ES256"
            case .p384: "ES384"
            case .ed25519: "EdDSA"
            }
        }

        /// The length of a coordinate, in bytes.
        private var coordinateBytes: Int { self == .p384 ? 48 : 32 }

        fileprivate var pointBytes: Int { self == .ed25519 ? 32 : 2 * self.coordinateBytes }
    }

    package let id: String
    package let kind: Kind
    private let key: OpaquePointer

    /// Makes an issuer with a new key.
    package init(_ kind: Kind = .p256, id: String = "k1") throws {
        self.id = id
        self.kind = kind
        self.key = try Self.makeKey(kind)
    }

    deinit {
        EVP_PKEY_free(self.key)
    }

    private static func makeKey(_ kind: Kind) throws -> OpaquePointer {
        let type =
            switch kind {
            case .rsa: EVP_PKEY_RSA
            case .p256, .p384: EVP_PKEY_EC
            case .ed25519: EVP_PKEY_ED25519
            }
        let context = EVP_PKEY_CTX_new_id(type, nil)
        defer { EVP_PKEY_CTX_free(context) }
        var isGood = EVP_PKEY_keygen_init(context) == 1
        switch kind {
        case .rsa(let bits): isGood = isGood && EVP_PKEY_CTX_set_rsa_keygen_bits(context, bits) == 1
        case .p256: isGood = isGood && EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_X9_62_prime256v1) == 1
        case .p384: isGood = isGood && EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, NID_secp384r1) == 1
        case .ed25519: break
        }
        var key: OpaquePointer?
        guard isGood, EVP_PKEY_keygen(context, &key) == 1, let key else { throw Surprise(expected: "a new key") }
        return key
    }
}

// MARK: The key set

extension TestIssuer {
    /// The text of a JWKS file with the keys of issuers.
    package static func keySet(_ issuers: TestIssuer...) -> String {
        "{\"keys\":[\(issuers.map { $0.publicKey() }.joined(separator: ","))]}"
    }

    /// The public key as an object of a JWKS file, with further members behind it.
    package func publicKey(_ more: String = "") -> String {
        let head = #""kid":"\#(self.id)","use":"sig","#
        return "{\(head)\(self.numbers)\(more)}"
    }

    private var numbers: String {
        let point = Array(self.encoded.suffix(self.kind.pointBytes))
        let (x, y) = (Self.text(point.prefix(point.count / 2)), Self.text(point.dropFirst(point.count / 2)))
        switch self.kind {
        case .rsa: return #""kty":"RSA","n":"\#(Self.text(self.modulus))","e":"AQAB""#
        case .p256: return #""kty":"EC","crv":"P-256","x":"\#(x)","y":"\#(y)""#
        case .p384: return #""kty":"EC","crv":"P-384","x":"\#(x)","y":"\#(y)""#
        case .ed25519: return #""kty":"OKP","crv":"Ed25519","x":"\#(Self.text(point))""#
        }
    }

    /// The public key as ASN.1 has it; the point of a curve stands at its end.
    private var encoded: [UInt8] {
        var start: UnsafeMutablePointer<UInt8>?
        let count = i2d_PUBKEY(self.key, &start)
        defer { free(start) }
        return Array(UnsafeBufferPointer(start: start, count: Int(max(0, count))))
    }

    private var modulus: [UInt8] {
        var number: OpaquePointer?
        guard EVP_PKEY_get_bn_param(self.key, "n", &number) == 1 else { return [] }
        defer { BN_free(number) }
        var bytes = [UInt8](repeating: 0, count: Int(BN_num_bits(number) + 7) / 8)
        BN_bn2bin(number, &bytes)
        return bytes
    }

    /// Bytes in base64url without padding.
    package static func text(_ bytes: some Sequence<UInt8>) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}

// MARK: Tokens

extension TestIssuer {
    /// A token with a header and claims that are written in full.
    package func token(header: String, claims: String, by algorithm: String? = nil) throws -> String {
        let signed = "\(Self.text(header.utf8)).\(Self.text(claims.utf8))"
        let signature = try self.signature(of: Array(signed.utf8), by: algorithm ?? self.kind.algorithm)
        return "\(signed).\(Self.text(signature))"
    }

    /// A token with these claims.
    package func token(_ claims: String, by algorithm: String? = nil) throws -> String {
        let header = #"{"alg":"\#(algorithm ?? self.kind.algorithm)","kid":"\#(self.id)","typ":"JWT"}"#
        return try self.token(header: header, claims: claims, by: algorithm)
    }

    private func signature(of bytes: [UInt8], by algorithm: String) throws -> [UInt8] {
        let context = EVP_MD_CTX_new()
        defer { EVP_MD_CTX_free(context) }
        let digests = ["256": EVP_sha256(), "384": EVP_sha384(), "512": EVP_sha512()]
        var padding: OpaquePointer?
        let digest = self.kind == .ed25519 ? nil : digests[String(algorithm.suffix(3))] ?? nil
        var isGood = EVP_DigestSignInit(context, &padding, digest, nil, self.key) == 1
        if algorithm.hasPrefix("PS") {
            isGood = isGood && EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PSS_PADDING) == 1
            isGood = isGood && EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, RSA_PSS_SALTLEN_DIGEST) == 1
        }
        var signature = [UInt8](repeating: 0, count: 2048)
        var count = signature.count
        isGood = isGood && EVP_DigestSign(context, &signature, &count, bytes, bytes.count) == 1
        guard isGood else { throw Surprise(expected: "a signature by \(algorithm)") }
        switch self.kind {
        case .rsa, .ed25519: return Array(signature.prefix(count))
        case .p256, .p384: return Self.numbers(of: signature, bytes: self.kind.pointBytes / 2)
        }
    }

    /// The two numbers of a signature in ASN.1, side by side.
    private static func numbers(of signature: [UInt8], bytes: Int) -> [UInt8] {
        var (rest, numbers) = (signature.dropFirst(2), [UInt8]())
        for _ in 0..<2 {
            let length = Int(rest[rest.startIndex + 1])
            let number = rest.dropFirst(2).prefix(length).drop { $0 == 0 }
            numbers += [UInt8](repeating: 0, count: bytes - number.count) + number
            rest = rest.dropFirst(2 + length)
        }
        return numbers
    }
}
