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
        var characters = characters
        characters.withUTF8 { characters in
            let length = characters.reduce(2) { $0 + JSONString.length(of: $1) }
            self.writeWithUnsafeMutableBytes(minimumWritableBytes: length) { target in
                JSONString.write(characters, to: target)
                return length
            }
        }
    }
}

extension JSONString {
    /// The number of bytes that a byte of UTF-8 has in a JSON string.
    fileprivate static func length(of byte: UInt8) -> Int {
        guard Self.mustBeEscaped(byte) else { return 1 }
        return Self.shortEscape(of: byte) == nil ? 6 : 2
    }

    /// The letter behind the backslash; nil if the byte has no such letter.
    private static func shortEscape(of byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case UInt8(ascii: "\n"): UInt8(ascii: "n")
        case UInt8(ascii: "\r"): UInt8(ascii: "r")
        case UInt8(ascii: "\t"): UInt8(ascii: "t")
        // Without these an error's message could become three times as long as its client has sent it.
        case 0x08: UInt8(ascii: "b")
        case 0x0C: UInt8(ascii: "f")
        default: nil
        }
    }

    /// Writes the string in one go: a write to the buffer for each byte would take ten times as long.
    fileprivate static func write(_ characters: UnsafeBufferPointer<UInt8>, to target: UnsafeMutableRawBufferPointer) {
        var end = 0
        func write(_ byte: UInt8) {
            target[end] = byte
            end += 1
        }
        write(UInt8(ascii: "\""))
        for byte in characters {
            guard Self.mustBeEscaped(byte) else {
                write(byte)
                continue
            }
            write(UInt8(ascii: "\\"))
            if let letter = Self.shortEscape(of: byte) {
                write(letter)
            } else {
                write(UInt8(ascii: "u"))
                write(UInt8(ascii: "0"))
                write(UInt8(ascii: "0"))
                write(Self.hexDigit(byte >> 4))
                write(Self.hexDigit(byte & 0xF))
            }
        }
        write(UInt8(ascii: "\""))
    }

    private static func hexDigit(_ number: UInt8) -> UInt8 {
        number < 10 ? UInt8(ascii: "0") + number : UInt8(ascii: "a") - 10 + number
    }
}
