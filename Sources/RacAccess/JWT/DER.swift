/// Writes the few values of ASN.1 in which libcrypto takes keys and signatures.
enum DER {
    /// A value with its tag and its length.
    static func value(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var length: [UInt8] = []
        var rest = content.count
        repeat {
            length.insert(UInt8(truncatingIfNeeded: rest), at: 0)
            rest >>= 8
        } while rest > 0
        let isShort = content.count < 0x80
        return [tag] + (isShort ? length : [0x80 | UInt8(length.count)] + length) + content
    }

    static func sequence(_ values: [UInt8]...) -> [UInt8] { Self.value(0x30, Array(values.joined())) }

    /// A positive integer of bytes, the highest one first.
    static func integer(_ bytes: some Collection<UInt8>) -> [UInt8] {
        let digits = Array(bytes.drop { $0 == 0 })
        let isNegative = digits.first.map { $0 >= 0x80 } ?? true
        return Self.value(0x02, (isNegative ? [0] : []) + digits)
    }

    /// A public key: its algorithm, and its bits.
    static func publicKey(_ algorithm: [UInt8], _ bits: [UInt8]) -> [UInt8] {
        Self.sequence(algorithm, Self.value(0x03, [0] + bits))
    }

    static let rsa = sequence([0x06, 9, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 1, 1, 1], [0x05, 0])
    static let ed25519 = sequence([0x06, 3, 0x2B, 0x65, 0x70])
    static let p256 = sequence(curve, [0x06, 8, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 3, 1, 7])
    static let p384 = sequence(curve, [0x06, 5, 0x2B, 0x81, 0x04, 0, 0x22])

    private static let curve: [UInt8] = [0x06, 7, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 2, 1]
}
