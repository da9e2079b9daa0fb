extension JSONScanner {
    /// Reads `true` or `false`, after white space; nil for any other value.
    package mutating func readFlag(_ bytes: Span<UInt8>) -> Bool? {
        self.skipSpace(bytes)
        if self.accept(text: "true", bytes) { return true }
        return self.accept(text: "false", bytes) ? false : nil
    }

    /// Passes `null`, after white space; says whether it stood here.
    package mutating func readNull(_ bytes: Span<UInt8>) -> Bool {
        self.skipSpace(bytes)
        return self.accept(text: "null", bytes)
    }

    /// Reads an integer of at most 19 digits, after white space.
    ///
    /// - Returns: Nil for every other value, also for an integer with a fraction, an exponent or the sign of -0.
    package mutating func readInteger(_ bytes: Span<UInt8>) -> (magnitude: UInt64, isNegative: Bool)? {
        self.skipSpace(bytes)
        var number = DecimalNumber()
        let end = number.read(bytes, from: self.position)
        guard number.isInteger, number.magnitude > 0 || !number.isNegative else { return nil }
        self.move(to: end)
        return (number.magnitude, number.isNegative)
    }

    /// Reads a number, after white space.
    ///
    /// - Returns: Nil for every other value, and for a number that overflows or comes near to zero.
    package mutating func readDouble(_ bytes: Span<UInt8>) -> Double? {
        self.skipSpace(bytes)
        var number = DecimalNumber()
        let end = number.read(bytes, from: self.position)
        guard let value = number.value(bytes, self.position..<end) else { return nil }
        self.move(to: end)
        return value
    }

    /// Reads a string, after white space; nil for any other value, and if one half of a surrogate pair stands alone.
    package mutating func readString(_ bytes: Span<UInt8>) -> String? {
        self.skipSpace(bytes)
        let start = self.position + 1
        guard let isEscaped = try? self.skipString(bytes) else { return nil }
        let characters = bytes.extracting(start..<self.position - 1)
        guard !isEscaped else { return characters.withUnsafeBufferPointer(JSONString.unescaped) }
        // Unchecked, because the scanner has just checked the UTF-8.
        var text = UTF8Span(unchecked: characters)
        // An ASCII string that does not know that it is one compares and hashes slowly.
        _ = text.checkForASCII()
        return String(copying: text)
    }
}
