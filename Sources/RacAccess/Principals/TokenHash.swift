import CCrypto

/// The SHA-256 of a token, which stands for the token wherever it is kept.
///
/// A token has 256 random bits, so its hash needs no salt and no slow function.
package struct TokenHash: Hashable, Sendable, CustomStringConvertible {
    private static let prefix = "sha256:"

    private let bytes: [UInt8]

    /// The hash of a token as clients send it.
    package init(of token: String) {
        var token = token
        self.bytes = token.withUTF8 { token in
            [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
                _ = SHA256(token.baseAddress, token.count, digest.baseAddress)
                count = Int(SHA256_DIGEST_LENGTH)
            }
        }
    }

    /// Reads `sha256:` and 64 hexadecimal digits; throws ``RuleError`` with the fault.
    package init(_ text: String) throws(RuleError) {
        let digits = Array(text.utf8.dropFirst(Self.prefix.utf8.count))
        let values = digits.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard text.hasPrefix(Self.prefix), digits.count == 2 * Int(SHA256_DIGEST_LENGTH), values.count == digits.count
        else {
            throw RuleError("a token is kept as sha256: and 64 hexadecimal digits, as 'racd token create' prints it")
        }
        self.bytes = stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
    }

    package var description: String {
        Self.prefix + self.bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}

/// A new token: 256 random bits behind `rac_`, in base64url.
package enum NewToken {
    package static let prefix = Secrets.tokenPrefix

    package static func make() -> String {
        var generator = SystemRandomNumberGenerator()
        return self.prefix + Self.base64URL((0..<32).map { _ in UInt8.random(in: 0...255, using: &generator) })
    }

    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")

    private static func base64URL(_ bytes: [UInt8]) -> String {
        var text = ""
        var (bits, count) = (0, 0)
        for byte in bytes {
            bits = bits << 8 | Int(byte)
            count += 8
            while count >= 6 {
                count -= 6
                text.append(self.digits[bits >> count & 63])
            }
        }
        if count > 0 { text.append(self.digits[bits << (6 - count) & 63]) }
        return text
    }
}
