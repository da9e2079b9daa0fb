package import NIOCore

extension UInt64 {
    /// The number of decimal digits of the greatest number.
    static let maximumDigits = 20

    /// The digits 00 to 99, one pair behind the other.
    private static var pairs: UnsafeRawPointer {
        let text: StaticString = """
            0001020304050607080910111213141516171819202122232425262728293031323334353637383940414243444546474849\
            5051525354555657585960616263646566676869707172737475767778798081828384858687888990919293949596979899
            """
        return UnsafeRawPointer(text.utf8Start)
    }

    private var digitCount: Int {
        var (rest, count) = (self, 0)
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        if rest < 100 { return count + (rest < 10 ? 1 : 2) }
        return count + (rest < 1_000 ? 3 : 4)
    }

    /// Writes the number in decimal to memory with enough room; returns the number of digits.
    func writeDigits(to target: UnsafeMutableRawPointer) -> Int {
        let count = self.digitCount
        var (rest, place) = (self, target + count)
        while rest >= 10 {
            let pair = Self.pairs.loadUnaligned(fromByteOffset: 2 * Int(rest % 100), as: UInt16.self)
            rest /= 100
            place -= 2
            place.storeBytes(of: pair, as: UInt16.self)
        }
        let first = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest)
        if place > target { target.storeBytes(of: first, as: UInt8.self) }
        return count
    }
}

extension UInt64 {
    /// A number of decimal digits alone; `UInt64(_:)` also takes a plus sign.
    package init?(digits text: some StringProtocol) {
        let zeroToNine = UInt8(ascii: "0")...UInt8(ascii: "9")
        guard text.utf8.allSatisfy({ zeroToNine.contains($0) }), let number = UInt64(text) else { return nil }
        self = number
    }
}

extension ByteBuffer {
    /// Writes a number's decimal digits.
    package mutating func writeDecimal(_ number: UInt64) {
        self.writeWithUnsafeMutableBytes(minimumWritableBytes: UInt64.maximumDigits) { room in
            room.baseAddress.map { number.writeDigits(to: $0) } ?? 0
        }
    }
}
