extension TOMLParser {
    mutating func basicString() throws(ConfigurationFault) -> String {
        try self.string(quote: UInt8(ascii: "\""), marks: 1)
    }

    mutating func literalString() throws(ConfigurationFault) -> String {
        try self.string(quote: UInt8(ascii: "'"), marks: 1)
    }

    mutating func longBasicString() throws(ConfigurationFault) -> String {
        try self.string(quote: UInt8(ascii: "\""), marks: 3)
    }

    mutating func longLiteralString() throws(ConfigurationFault) -> String {
        try self.string(quote: UInt8(ascii: "'"), marks: 3)
    }

    /// Reads a string behind its quotes, and the quotes that end it; three of them make one of several lines.
    private mutating func string(quote: UInt8, marks: Int) throws(ConfigurationFault) -> String {
        self.advance(marks)
        let isLong = marks == 3
        if isLong { _ = self.skipLineBreak() }
        var text: [UInt8] = []
        while true {
            guard let byte, isLong || byte != UInt8(ascii: "\n") && !self.goesOn(with: "\r\n") else {
                throw self.fault("a string does not end")
            }
            if byte == quote {
                let count = self.quotes(quote)
                self.advance(min(count, isLong ? 5 : 1))
                guard count < marks else {
                    // Up to two quotes before the last three are part of the string.
                    text += repeatElement(quote, count: isLong ? min(count, 5) - 3 : 0)
                    return String(decoding: text, as: UTF8.self)
                }
                text += repeatElement(quote, count: count)
            } else if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                text += try self.escape(isLong: isLong)
            } else if self.skipLineBreak() {
                text.append(UInt8(ascii: "\n"))
            } else {
                guard !Self.isControl(byte) else { throw self.fault("a string has a control character") }
                text.append(byte)
                self.advance()
            }
        }
    }

    /// The number of quotes in a row.
    private func quotes(_ quote: UInt8) -> Int {
        var ahead = self
        while ahead.byte == quote { ahead.advance() }
        return ahead.position - self.position
    }

    private mutating func escape(isLong: Bool) throws(ConfigurationFault) -> [UInt8] {
        let before = self
        self.advance()
        let marks: [UInt8: UInt8] = [
            UInt8(ascii: "b"): 8, UInt8(ascii: "t"): 9, UInt8(ascii: "n"): 10, UInt8(ascii: "f"): 12,
            UInt8(ascii: "r"): 13,
            UInt8(ascii: "\""): UInt8(ascii: "\""), UInt8(ascii: "\\"): UInt8(ascii: "\\"),
        ]
        guard let byte else { throw self.fault("a string does not end") }
        if let mark = marks[byte] {
            self.advance()
            return [mark]
        }
        if byte == UInt8(ascii: "u") { return try self.scalar(digits: 4, before) }
        if byte == UInt8(ascii: "U") { return try self.scalar(digits: 8, before) }
        guard isLong, self.skipRestOfLine() else { throw before.fault("there is no escape \\ with \(self.shown)") }
        return []
    }

    /// Goes past blanks, a line break, and all blanks and line breaks behind it; false if there is no line break.
    private mutating func skipRestOfLine() -> Bool {
        var ahead = self
        ahead.skipBlanks()
        guard ahead.skipLineBreak() else { return false }
        repeat { ahead.skipBlanks() } while ahead.skipLineBreak()
        self = ahead
        return true
    }

    private mutating func scalar(digits count: Int, _ before: TOMLParser) throws(ConfigurationFault) -> [UInt8] {
        self.advance()
        let start = self.position
        self.advance(count)
        let digits = self.text(from: start)
        guard digits.utf8.count == count, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
            let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init)
        else { throw before.fault("\\u stands before 4 digits of a character, and \\U before 8") }
        guard scalar.value != 0 else { throw before.fault("no value has the character U+0000") }
        return Array(String(scalar).utf8)
    }
}
