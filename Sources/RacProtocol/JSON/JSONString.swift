package import NIOCore

/// Reads and writes the characters of JSON strings.
package enum JSONString {
    /// The characters of a checked string without its quotes; nil if a surrogate stands alone.
    package static func characters(of bytes: ByteBuffer) -> String? {
        var text = String.UnicodeScalarView()
        var scalars = String(buffer: bytes).unicodeScalars.makeIterator()
        while let scalar = scalars.next() {
            guard scalar == "\\" else {
                text.append(scalar)
                continue
            }
            guard let meant = Self.escape(&scalars) else { return nil }
            text.append(meant)
        }
        return String(text)
    }

    static func mustBeEscaped(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func escape(_ scalars: inout String.UnicodeScalarView.Iterator) -> Unicode.Scalar? {
        switch scalars.next() {
        case "b": "\u{8}"
        case "f": "\u{C}"
        case "n": "\n"
        case "r": "\r"
        case "t": "\t"
        case "u": Self.codePoint(&scalars)
        case let plain: plain
        }
    }

    private static func codePoint(_ scalars: inout String.UnicodeScalarView.Iterator) -> Unicode.Scalar? {
        guard let high = Self.unit(&scalars) else { return nil }
        guard (0xD800..<0xDC00).contains(high) else { return Unicode.Scalar(high) }
        guard scalars.next() == "\\", scalars.next() == "u", let low = Self.unit(&scalars),
            (0xDC00..<0xE000).contains(low)
        else { return nil }
        return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00))
    }

    private static func unit(_ scalars: inout String.UnicodeScalarView.Iterator) -> UInt32? {
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = scalars.next().flatMap({ Character($0).hexDigitValue }) else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}

extension ByteBuffer {
    /// Writes a JSON string with its quotes, and with escapes only where JSON demands them.
    package mutating func writeJSONString(_ characters: String) {
        self.writeInteger(UInt8(ascii: "\""))
        guard characters.utf8.contains(where: JSONString.mustBeEscaped) else {
            self.writeString(characters)
            self.writeInteger(UInt8(ascii: "\""))
            return
        }
        for byte in characters.utf8 {
            switch byte {
            case UInt8(ascii: "\""): self.writeStaticString("\\\"")
            case UInt8(ascii: "\\"): self.writeStaticString("\\\\")
            case UInt8(ascii: "\n"): self.writeStaticString("\\n")
            case UInt8(ascii: "\r"): self.writeStaticString("\\r")
            case UInt8(ascii: "\t"): self.writeStaticString("\\t")
            case 0x00..<0x20:
                self.writeStaticString("\\u00")
                self.writeString(byte < 0x10 ? "0" : "1")
                self.writeString(String(byte & 0xF, radix: 16))
            default: self.writeInteger(byte)
            }
        }
        self.writeInteger(UInt8(ascii: "\""))
    }
}
