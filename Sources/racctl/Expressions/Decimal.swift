import ArgumentParser
import RacConnection
import RacProtocol

/// A decimal number of at most 38 digits, added exactly.
struct Decimal: Equatable {
    static let one = Decimal(digits: 1, scale: 0)

    /// The number without its point.
    private let digits: Int128
    /// The number of digits behind the point.
    private let scale: Int

    private init(digits: Int128, scale: Int) {
        self.digits = digits
        self.scale = scale
    }

    /// A number of JSON; nil for another value, and for one that is too long.
    init?(_ value: JSONText) {
        var text = value.text[...]
        guard let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first) else {
            return nil
        }
        var exponent = 0
        if let mark = text.firstIndex(where: { $0 == "e" || $0 == "E" }) {
            guard let number = Int(text[text.index(after: mark)...]), (-38...38).contains(number) else { return nil }
            exponent = number
            text = text[..<mark]
        }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let fraction = parts.count == 2 ? parts[1].utf8.count : 0
        guard let digits = Int128(parts.joined()) else { return nil }
        guard exponent <= fraction else {
            guard let whole = Self.shifted(digits, by: exponent - fraction) else { return nil }
            self.init(digits: whole, scale: 0)
            return
        }
        self.init(digits: digits, scale: fraction - exponent)
    }

    init(argument: String) throws {
        let value = try? JSONText(argument)
        guard let value, let number = Decimal(value) else {
            let isNumber = if let value, case .number? = try? JSONTree(value) { true } else { false }
            throw ValidationError(isNumber ? "\(argument) is too large to add" : "'\(argument)' is no number")
        }
        self = number
    }

    /// The exact sum; nil if it has too many digits.
    func adding(_ other: Decimal) -> Decimal? {
        let scale = max(self.scale, other.scale)
        guard let left = Self.shifted(self.digits, by: scale - self.scale),
            let right = Self.shifted(other.digits, by: scale - other.scale)
        else { return nil }
        let (sum, overflows) = left.addingReportingOverflow(right)
        return overflows ? nil : Decimal(digits: sum, scale: scale)
    }

    /// The number as JSON, with all digits behind the point that its summands had.
    var json: JSONText {
        let magnitude = "\(self.digits.magnitude)"
        let padded = String(repeating: "0", count: max(0, self.scale + 1 - magnitude.count)) + magnitude
        let whole = padded.dropLast(self.scale)
        let fraction = self.scale == 0 ? "" : ".\(padded.suffix(self.scale))"
        let sign = self.digits < 0 ? "-" : ""
        return (try? JSONText("\(sign)\(whole)\(fraction)")) ?? .null
    }

    private static func shifted(_ digits: Int128, by places: Int) -> Int128? {
        var digits = digits
        for _ in 0..<places {
            let (product, overflows) = digits.multipliedReportingOverflow(by: 10)
            if overflows { return nil }
            digits = product
        }
        return digits
    }
}
