/// A JSON number by its value, exactly: no number is too large or too precise, and `1.0` equals `1`.
struct JSONNumber: Equatable {
    private let isNegative: Bool
    /// The significant digits, without zeros before or behind them; none for zero.
    private let digits: [UInt8]
    /// The power of ten of the number if a decimal point stood before the first digit.
    private let magnitude: Int

    /// - Parameter text: A number as JSON has it, checked by the caller.
    init(_ text: some Sequence<UInt8>) {
        var whole: [UInt8] = []
        var exponent: [UInt8] = []
        var places = 0
        var part = Part.whole
        var isNegative = false
        for byte in text {
            switch (byte, part) {
            case (UInt8(ascii: "-"), .whole): isNegative = true
            case (UInt8(ascii: "."), _): part = .fraction
            case (UInt8(ascii: "e"), _), (UInt8(ascii: "E"), _): part = .exponent
            case (_, .exponent): exponent.append(byte)
            case (_, .fraction): whole.append(byte)
            case (_, .whole):
                whole.append(byte)
                places += 1
            }
        }
        self.init(isNegative: isNegative, digits: whole, places: places, exponent: Self.exponent(exponent))
    }

    private enum Part {
        case whole
        case fraction
        case exponent
    }

    private init(isNegative: Bool, digits: [UInt8], places: Int, exponent: Int) {
        let zero = UInt8(ascii: "0")
        let significant = digits.drop { $0 == zero }
        let last = significant.lastIndex { $0 != zero }
        self.digits = last.map { Array(significant[...$0]) } ?? []
        self.isNegative = isNegative && !self.digits.isEmpty
        self.magnitude = self.digits.isEmpty ? 0 : exponent + places - (digits.count - significant.count)
    }

    /// An exponent beyond what an integer holds stands for a number that nothing else can equal in practice.
    private static func exponent(_ text: [UInt8]) -> Int {
        guard !text.isEmpty else { return 0 }
        let limit = Int.max / 4
        let value = Int(String(decoding: text, as: UTF8.self))
        return min(max(value ?? (text.first == UInt8(ascii: "-") ? -limit : limit), -limit), limit)
    }
}

extension JSONNumber: Comparable {
    static func < (left: JSONNumber, right: JSONNumber) -> Bool {
        switch (left.isNegative, right.isNegative) {
        case (true, false): true
        case (false, true): false
        case (false, false): left.isCloserToZero(than: right)
        case (true, true): right.isCloserToZero(than: left)
        }
    }

    private func isCloserToZero(than other: JSONNumber) -> Bool {
        if self.digits.isEmpty || other.digits.isEmpty { return !other.digits.isEmpty }
        guard self.magnitude == other.magnitude else { return self.magnitude < other.magnitude }
        return self.digits.lexicographicallyPrecedes(other.digits)
    }
}
