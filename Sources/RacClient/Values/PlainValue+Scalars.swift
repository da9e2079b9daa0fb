import RacProtocol

extension Bool: PlainValue {
    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> Bool? {
        scanner.readFlag(bytes)
    }

    func write(to text: inout String) -> Bool {
        text.append(self ? "true" : "false")
        return true
    }
}

extension FixedWidthInteger where Self: PlainValue {
    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> Self? {
        guard let (magnitude, isNegative) = scanner.readInteger(bytes) else { return nil }
        guard isNegative else { return Self(exactly: magnitude) }
        return Int64(exactly: magnitude).flatMap { Self(exactly: -$0) }
    }

    func write(to text: inout String) -> Bool {
        text.append(self.description)
        return true
    }
}

extension Int: PlainValue {}
extension Int8: PlainValue {}
extension Int16: PlainValue {}
extension Int32: PlainValue {}
extension Int64: PlainValue {}
extension UInt: PlainValue {}
extension UInt8: PlainValue {}
extension UInt16: PlainValue {}
extension UInt32: PlainValue {}
extension UInt64: PlainValue {}

extension Double: PlainValue {
    static var isAlwaysWritable: Bool { false }
    var isWritable: Bool { self.isFinite }

    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> Double? {
        scanner.readDouble(bytes)
    }

    /// Writes the shortest digits that mean this number, whole numbers without a fraction.
    func write(to text: inout String) -> Bool {
        guard self.isFinite else { return false }
        let digits = self.description
        text.append(contentsOf: digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...])
        return true
    }
}

extension String: PlainValue {
    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> String? {
        scanner.readString(bytes)
    }

    func write(to text: inout String) -> Bool {
        text.append("\"")
        if self.utf8.contains(where: Self.isEscaped) { self.writeEscaped(to: &text) } else { text.append(self) }
        text.append("\"")
        return true
    }

    private static func isEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private func writeEscaped(to text: inout String) {
        for scalar in self.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                text.append("\\")
                text.unicodeScalars.append(scalar)
            case "\u{8}": text.append("\\b")
            case "\u{C}": text.append("\\f")
            case "\n": text.append("\\n")
            case "\r": text.append("\\r")
            case "\t": text.append("\\t")
            case "\u{0}"..<" ":
                text.append(scalar.value < 0x10 ? "\\u000" : "\\u00")
                text.append(String(scalar.value, radix: 16))
            default: text.unicodeScalars.append(scalar)
            }
        }
    }
}
