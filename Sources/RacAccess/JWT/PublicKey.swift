import CCrypto

/// A public key that checks signatures.
///
/// Guards: libcrypto only reads a key once it is made, and counts its users atomically. So threads may share it.
final class PublicKey: @unchecked Sendable {
    enum Kind: Sendable {
        case rsa
        case p256
        case p384
        case ed25519
    }

    let kind: Kind
    /// The key as ASN.1 has it, by which it is distinguished from others.
    let encoded: [UInt8]
    /// The length of each signature.
    private let signatureBytes: Int
    private let key: OpaquePointer

    private init?(_ kind: Kind, _ encoded: [UInt8], signatureBytes: Int) {
        let key = encoded.withUnsafeBufferPointer { bytes in
            var start = bytes.baseAddress
            return d2i_PUBKEY(nil, &start, bytes.count)
        }
        guard let key else { return nil }
        self.kind = kind
        self.encoded = encoded
        self.signatureBytes = signatureBytes
        self.key = key
    }

    deinit {
        EVP_PKEY_free(self.key)
    }

    /// Makes a key of RSA; nil if libcrypto does not take it.
    convenience init?(modulus: [UInt8], exponent: [UInt8]) {
        let numbers = DER.sequence(DER.integer(modulus), DER.integer(exponent))
        self.init(.rsa, DER.publicKey(DER.rsa, numbers), signatureBytes: modulus.count)
    }

    /// Makes a key of a curve; nil if the point is not on it.
    convenience init?(_ kind: Kind, point: [UInt8]) {
        switch kind {
        case .rsa: return nil
        case .p256: self.init(kind, DER.publicKey(DER.p256, [4] + point), signatureBytes: 64)
        case .p384: self.init(kind, DER.publicKey(DER.p384, [4] + point), signatureBytes: 96)
        case .ed25519: self.init(kind, DER.publicKey(DER.ed25519, point), signatureBytes: 64)
        }
    }

    /// Whether the owner of the key has signed these bytes.
    func hasSigned(_ bytes: [UInt8], _ signature: [UInt8], by algorithm: JWTAlgorithm) -> Bool {
        guard algorithm.kind == self.kind, signature.count == self.signatureBytes, let context = EVP_MD_CTX_new()
        else { return false }
        defer { EVP_MD_CTX_free(context) }
        var padding: OpaquePointer?
        guard EVP_DigestVerifyInit(context, &padding, algorithm.digest, nil, self.key) == 1 else { return false }
        if algorithm.isPadded {
            guard EVP_PKEY_CTX_set_rsa_padding(padding, RSA_PKCS1_PSS_PADDING) == 1,
                EVP_PKEY_CTX_set_rsa_pss_saltlen(padding, RSA_PSS_SALTLEN_DIGEST) == 1
            else { return false }
        }
        let encoded = self.encoded(signature)
        return EVP_DigestVerify(context, encoded, encoded.count, bytes, bytes.count) == 1
    }

    /// A signature as libcrypto takes it: a JWT has the two numbers of a curve side by side.
    private func encoded(_ signature: [UInt8]) -> [UInt8] {
        switch self.kind {
        case .rsa, .ed25519: signature
        case .p256, .p384:
            DER.sequence(
                DER.integer(signature.prefix(self.signatureBytes / 2)),
                DER.integer(signature.dropFirst(self.signatureBytes / 2))
            )
        }
    }
}
