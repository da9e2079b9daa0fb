extension JSONString {
    /// The characters of a valid string without its quotes; nil if one half of a surrogate pair stands alone.
    static func unescaped(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        var isWhole = true
        // No escape is shorter than the character that it stands for.
        let text = String(unsafeUninitializedCapacity: bytes.count) { target in
            var (position, count) = (0, 0)
            while position < bytes.count {
                let byte = bytes[position]
                guard byte == UInt8(ascii: "\\") else {
                    target[count] = byte
                    (position, count) = (position + 1, count + 1)
                    continue
                }
                guard let scalar = Self.scalar(bytes, &position) else {
                    isWhole = false
                    return 0
                }
                for unit in UTF8.encode(scalar).unsafelyUnwrapped {
                    target[count] = unit
                    count += 1
                }
            }
            return count
        }
        return isWhole ? text : nil
    }

    /// Passes the escape at the position and returns what it stands for.
    private static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Unicode.Scalar? {
        guard position + 1 < bytes.count else { return nil }
        let letter = bytes[position + 1]
        guard letter == UInt8(ascii: "u") else {
            position += 2
            return Self.scalar(for: letter)
        }
        guard let unit = Self.unit(bytes, &position) else { return nil }
        guard (0xD800..<0xDC00).contains(unit) else { return Unicode.Scalar(unit) }
        guard let low = Self.unit(bytes, &position), (0xDC00..<0xE000).contains(low) else { return nil }
        return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
    }

    private static func scalar(for letter: UInt8) -> Unicode.Scalar {
        switch letter {
        case UInt8(ascii: "b"): "\u{8}"
        case UInt8(ascii: "f"): "\u{C}"
        case UInt8(ascii: "n"): "\n"
        case UInt8(ascii: "r"): "\r"
        case UInt8(ascii: "t"): "\t"
        default: Unicode.Scalar(letter)
        }
    }

    /// Passes `\u` and four digits, if they stand here.
    private static func unit(_ bytes: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> UInt32? {
        guard position + 6 <= bytes.count, bytes[position] == UInt8(ascii: "\\"),
            bytes[position + 1] == UInt8(ascii: "u")
        else { return nil }
        var unit: UInt32 = 0
        for index in (position + 2)..<(position + 6) {
            guard let digit = Character(Unicode.Scalar(bytes[index])).hexDigitValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        position += 6
        return unit
    }
}
