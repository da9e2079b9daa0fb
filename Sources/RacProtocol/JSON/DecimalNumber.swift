/// The parts of a JSON number as it is written: sign, digits, and where the decimal point stands among them.
struct DecimalNumber {
    /// More digits might not fit in 64 bits.
    private static let maximumDigits = 19
    /// The powers of ten that a `Double` holds exactly.
    private static let powers: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20,
        1e21, 1e22,
    ]

    private(set) var isNegative = false
    /// The digits without the point, as long as there are not too many.
    private(set) var magnitude: UInt64 = 0
    private var digitCount = 0
    /// The power of ten that the digits are multiplied by.
    private var exponent = 0
    private var hasFractionOrExponent = false

    init() {}

    /// Whether all its digits were read and nothing but a sign was beside them.
    var isInteger: Bool { !self.hasFractionOrExponent && (1...Self.maximumDigits).contains(self.digitCount) }

    /// Reads the number that begins at `start` and returns where it ends.
    mutating func read(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var position = start
        if position < bytes.count, bytes[position] == UInt8(ascii: "-") {
            self.isNegative = true
            position += 1
        }
        self.readDigits(bytes, &position)
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            self.hasFractionOrExponent = true
            position += 1
            let whole = position
            self.readDigits(bytes, &position)
            self.exponent = whole - position
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            self.hasFractionOrExponent = true
            position += 1
            self.readExponent(bytes, &position)
        }
        return position
    }

    private mutating func readDigits(_ bytes: Span<UInt8>, _ position: inout Int) {
        // In variables of its own, which stay in registers.
        var (magnitude, digitCount, place) = (self.magnitude, self.digitCount, position)
        while place < bytes.count, case let digit = bytes[unchecked: place] &- UInt8(ascii: "0"), digit < 10 {
            // Zeros in front are no digits: they cannot make the number too long.
            if magnitude > 0 || digit > 0 || digitCount == 0 { digitCount += 1 }
            magnitude = magnitude &* 10 &+ UInt64(digit)
            place += 1
        }
        (self.magnitude, self.digitCount, position) = (magnitude, digitCount, place)
    }

    private mutating func readExponent(_ bytes: Span<UInt8>, _ position: inout Int) {
        var isNegative = false
        if position < bytes.count, bytes[position] == UInt8(ascii: "-") || bytes[position] == UInt8(ascii: "+") {
            isNegative = bytes[position] == UInt8(ascii: "-")
            position += 1
        }
        var written = 0
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit < 10 {
            // A greater one is out of every range, so its last digits do not matter.
            if written < 100_000 { written = written * 10 + Int(digit) }
            position += 1
        }
        self.exponent += isNegative ? -written : written
    }

    /// The nearest `Double`; nil leaves the number to others.
    ///
    /// A number that overflows is nil, and one so near to zero that digits may be lost. A zero with a fraction or an
    /// exponent is nil, too.
    func value(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
        // Foundation takes 0e1 for no JSON.
        guard self.digitCount > 0, self.magnitude > 0 || !self.hasFractionOrExponent else { return nil }
        // Both factors are exact then, so their product or quotient is rounded once (W. D. Clinger, 1990).
        if self.digitCount <= Self.maximumDigits, self.magnitude <= 1 << 53, abs(self.exponent) < Self.powers.count {
            let digits = Double(self.magnitude)
            let power = Self.powers[abs(self.exponent)]
            let value = self.exponent < 0 ? digits / power : digits * power
            return self.isNegative ? -value : value
        }
        let text = bytes.extracting(range).withUnsafeBufferPointer { String(decoding: $0, as: UTF8.self) }
        guard let value = Double(text), value.isNormal else { return nil }
        return value
    }
}
