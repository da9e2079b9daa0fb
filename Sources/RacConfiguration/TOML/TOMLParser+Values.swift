extension TOMLParser {
    /// Reads a value.
    mutating func value(at path: [String], depth: Int) throws(ConfigurationFault) -> TOMLItem {
        guard depth < Self.deepest else { throw self.fault("values nest more than \(Self.deepest) deep") }
        return switch self.byte {
        case UInt8(ascii: "\""):
            .string(self.goesOn(with: "\"\"\"") ? try self.longBasicString() : try self.basicString())
        case UInt8(ascii: "'"):
            .string(self.goesOn(with: "'''") ? try self.longLiteralString() : try self.literalString())
        case UInt8(ascii: "["): try self.array(at: path, depth: depth + 1)
        case UInt8(ascii: "{"): try self.inlineTable(at: path, depth: depth + 1)
        default: try self.scalar()
        }
    }

    private mutating func scalar() throws(ConfigurationFault) -> TOMLItem {
        let (start, before) = (self.position, self)
        self.skipWord()
        // A date and a time may have a blank between them.
        if self.position - start == 10, self.goesOn(with: " "), self.text(from: start).contains("-") {
            let date = self
            self.advance()
            if let byte, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { self.skipWord() } else { self = date }
        }
        guard self.position > start else { throw self.fault("a value is missing before \(self.shown)") }
        let word = self.text(from: start)
        if let item = TOMLScalar.item(word) { return item }
        let help =
            word.contains(where: \.isLetter)
            ? "; a string stands in quotes"
            : word.hasPrefix("0") ? "; a mode such as 0660 stands in quotes" : ""
        throw before.fault("'\(word)' is no value\(help)")
    }

    private mutating func skipWord() {
        while let byte {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): self.advance()
            case UInt8(ascii: "0")...UInt8(ascii: ":"), UInt8(ascii: "+"), UInt8(ascii: "-")...UInt8(ascii: "."):
                self.advance()
            case UInt8(ascii: "_"): self.advance()
            default: return
            }
        }
    }

    /// Goes past blanks, comments and line breaks.
    private mutating func skipSpace() throws(ConfigurationFault) {
        repeat { try self.skipComment() } while self.skipLineBreak()
    }

    private mutating func array(at path: [String], depth: Int) throws(ConfigurationFault) -> TOMLItem {
        let first = self.line
        self.advance()
        var items: [TOMLItem] = []
        while true {
            try self.skipSpace()
            if self.byte == UInt8(ascii: "]") { break }
            let place = path + ["\(items.count)"]
            // The line of the array stands for its elements in the same line.
            if self.line != first { self.note(place) }
            items.append(try self.value(at: place, depth: depth))
            try self.skipSpace()
            if self.byte == UInt8(ascii: "]") { break }
            guard self.byte == UInt8(ascii: ",") else {
                throw self.fault("an array goes on with , or ], not with \(self.shown)")
            }
            self.advance()
        }
        self.advance()
        return .array(items)
    }

    private mutating func inlineTable(at path: [String], depth: Int) throws(ConfigurationFault) -> TOMLItem {
        self.advance()
        let table = TOMLTree(.header)
        self.skipBlanks()
        while self.byte != UInt8(ascii: "}") || !table.entries.isEmpty {
            try self.pair(into: table, at: path, depth: depth)
            self.skipBlanks()
            if self.byte == UInt8(ascii: "}") { break }
            guard self.byte == UInt8(ascii: ",") else {
                throw self.fault("a table goes on with , or }, not with \(self.shown)")
            }
            self.advance()
            self.skipBlanks()
        }
        self.advance()
        return .table(table.items)
    }
}
