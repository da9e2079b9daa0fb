/// A value that says which channel it was sent to and which one of that channel's sequence it is.
///
/// Its text is a JSON string of digits for every protocol: filling zeros, eight digits for the channel, eight for the
/// number.
package struct NumberedValue: Equatable, Sendable {
    /// Which lengths leave room for the quotes and the digits.
    package static let possibleBytes = 18...4096
    /// Channels and numbers are below this.
    package static let bound = 100_000_000

    package var channel: Int
    /// Its place in the sequence, from 1.
    package var number: Int

    package init(channel: Int, number: Int) {
        self.channel = channel
        self.number = number
    }

    /// Appends the text with `byteCount` bytes, quotes included.
    package func append(to bytes: inout [UInt8], byteCount: Int) {
        precondition(Self.possibleBytes.contains(byteCount), "a value has \(Self.possibleBytes) bytes")
        bytes.append("\"")
        bytes.append(contentsOf: repeatElement(UInt8(ascii: "0"), count: byteCount - 18))
        Self.append(self.channel, to: &bytes)
        Self.append(self.number, to: &bytes)
        bytes.append("\"")
    }

    /// Reads the value whose closing quote is the last byte before `end`; nil if there is none.
    @inline(__always)
    static func read(_ bytes: Span<UInt8>, endingAt end: Int) -> NumberedValue? {
        guard end >= 18, end <= bytes.count, bytes[end - 1] == UInt8(ascii: "\"") else { return nil }
        let raw = bytes.bytes
        let high = raw.unsafeLoadUnaligned(fromByteOffset: end - 17, as: UInt64.self)
        let low = raw.unsafeLoadUnaligned(fromByteOffset: end - 9, as: UInt64.self)
        guard let channel = Self.decimal(high), let number = Self.decimal(low) else { return nil }
        return NumberedValue(channel: channel, number: number)
    }

    private static func append(_ number: Int, to bytes: inout [UInt8]) {
        precondition(0 <= number && number < Self.bound, "eight digits hold numbers below \(Self.bound)")
        withUnsafeBytes(of: Self.text(number)) { bytes.append(contentsOf: $0) }
    }

    /// The reverse of `decimal`.
    @inline(__always)
    private static func text(_ number: Int) -> UInt64 {
        let fours = UInt64(number / 10_000) | UInt64(number % 10_000) << 32
        // Multiplied and shifted, each part is divided by 100, and then by 10.
        let hundreds = (fours &* 5243) >> 19 & 0x0000_007F_0000_007F
        let pairs = hundreds | (fours &- hundreds &* 100) << 16
        let tens = (pairs &* 103) >> 10 & 0x000F_000F_000F_000F
        return tens | (pairs &- tens &* 10) << 8 | 0x3030_3030_3030_3030
    }

    /// Eight decimal digits, the highest one in the lowest byte as memory has them, all at once.
    @inline(__always)
    private static func decimal(_ text: UInt64) -> Int? {
        let digits = text ^ 0x3030_3030_3030_3030
        // Adding 0x76 carries into a byte's highest bit where its digit is above 9.
        guard (digits | (digits &+ 0x7676_7676_7676_7676)) & 0x8080_8080_8080_8080 == 0 else { return nil }
        let pairs = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
        let fours = (pairs &* 100 &+ pairs >> 16) & 0x0000_FFFF_0000_FFFF
        return Int((fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF)
    }
}
