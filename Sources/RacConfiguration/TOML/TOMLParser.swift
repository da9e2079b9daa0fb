/// Reads a text of TOML 1.0, byte by byte.
///
/// It is stricter than the specification in two things: values nest up to 64 deep, and no string has the character U+0000.
struct TOMLParser {
    static let deepest = 64

    private let bytes: [UInt8]
    private(set) var position = 0
    private(set) var line = 1
    private var lineStart = 0
    private let root = TOMLTree(.header)
    private(set) var lines = KeyLines()

    private init(_ text: String) {
        self.bytes = Array(text.utf8)
        if self.bytes.starts(with: [0xEF, 0xBB, 0xBF]) { self.position = 3 }
    }

    /// The values of a text, and the lines of its keys.
    static func read(_ text: String) throws(ConfigurationFault) -> (items: [String: TOMLItem], lines: KeyLines) {
        var parser = TOMLParser(text)
        try parser.document()
        return (parser.root.items, parser.lines)
    }

    /// The present byte; nil at the end.
    var byte: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    /// Whether the text goes on with these bytes.
    func goesOn(with text: StaticString) -> Bool {
        text.withUTF8Buffer { self.bytes[self.position...].starts(with: $0) }
    }

    mutating func advance(_ count: Int = 1) {
        for _ in 0..<count where self.position < self.bytes.count {
            if self.bytes[self.position] == UInt8(ascii: "\n") {
                self.line += 1
                self.lineStart = self.position + 1
            }
            self.position += 1
        }
    }

    /// The text from a position to the present one.
    func text(from start: Int) -> String {
        String(decoding: self.bytes[start..<self.position], as: UTF8.self)
    }

    func fault(_ reason: String) -> ConfigurationFault {
        let column =
            String(decoding: self.bytes[self.lineStart..<self.position], as: UTF8.self).unicodeScalars.count + 1
        return ConfigurationFault(line: self.line, "this is no TOML, column \(column): \(reason)")
    }

    /// The present character, as messages show it.
    var shown: String {
        guard let byte else { return "the end of the file" }
        guard byte != UInt8(ascii: "\n"), byte != UInt8(ascii: "\r") else { return "the end of the line" }
        let rest = String(decoding: self.bytes[self.position...].prefix(4), as: UTF8.self)
        return rest.first.map { "'\($0)'" } ?? "nothing"
    }

    mutating func note(_ path: [String]) {
        self.lines.note(path, self.line)
    }

    mutating func skipBlanks() {
        while self.byte == UInt8(ascii: " ") || self.byte == UInt8(ascii: "\t") { self.advance() }
    }

    /// Goes past a line break, if there is one here.
    mutating func skipLineBreak() -> Bool {
        let length = self.goesOn(with: "\n") ? 1 : self.goesOn(with: "\r\n") ? 2 : 0
        self.advance(length)
        return length > 0
    }

    /// Whether a byte is one that no string and comment has.
    static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 && byte != UInt8(ascii: "\t") || byte == 0x7F }

    /// Goes past blanks and a comment to the end of the line.
    mutating func skipComment() throws(ConfigurationFault) {
        self.skipBlanks()
        guard self.byte == UInt8(ascii: "#") else { return }
        while let byte, byte != UInt8(ascii: "\n"), !self.goesOn(with: "\r\n") {
            guard !Self.isControl(byte) else { throw self.fault("a comment has a control character") }
            self.advance()
        }
    }

    private mutating func document() throws(ConfigurationFault) {
        var (table, path) = (self.root, [String]())
        while true {
            try self.skipComment()
            if self.skipLineBreak() { continue }
            guard let byte else { return }
            if byte == UInt8(ascii: "[") {
                (table, path) = try self.header()
            } else {
                try self.pair(into: table, at: path, depth: 0)
            }
            try self.skipComment()
            guard self.byte == nil || self.skipLineBreak() else {
                throw self.fault("the line should end here, and goes on with \(self.shown)")
            }
        }
    }

    private mutating func header() throws(ConfigurationFault) -> (TOMLTree, path: [String]) {
        let isElement = self.goesOn(with: "[[")
        self.advance(isElement ? 2 : 1)
        let name = try self.key()
        guard self.goesOn(with: isElement ? "]]" : "]") else {
            throw self.fault("a header ends with \(isElement ? "]]" : "]"), not with \(self.shown)")
        }
        var (table, path) = (self.root, [String]())
        for part in name.dropLast() {
            guard let next = table.parent(part, at: &path) else { throw self.twice(part) }
            table = next
        }
        let last = name[name.count - 1]
        path.append(last)
        self.note(path)
        if isElement {
            guard let (next, number) = table.element(last) else { throw self.twice(last) }
            table = next
            path.append("\(number)")
            self.note(path)
        } else {
            guard let next = table.header(last) else { throw self.twice(last) }
            table = next
        }
        self.advance(isElement ? 2 : 1)
        return (table, path)
    }

    private func twice(_ key: String) -> ConfigurationFault {
        self.fault("the key '\(key)' is defined twice")
    }

    /// Reads a key with its value.
    mutating func pair(into table: TOMLTree, at path: [String], depth: Int) throws(ConfigurationFault) {
        let name = try self.key()
        var (table, path) = (table, path)
        for part in name.dropLast() {
            guard let next = table.dotted(part) else { throw self.twice(part) }
            table = next
            path.append(part)
            self.note(path)
        }
        let last = name[name.count - 1]
        guard table.entries[last] == nil else { throw self.twice(last) }
        path.append(last)
        self.note(path)
        guard self.byte == UInt8(ascii: "=") else { throw self.fault("a key is followed by =, not by \(self.shown)") }
        self.advance()
        self.skipBlanks()
        table.entries[last] = .item(try self.value(at: path, depth: depth))
    }

    /// The parts of a key, and the position behind it and behind blanks.
    private mutating func key() throws(ConfigurationFault) -> [String] {
        var parts: [String] = []
        repeat {
            if !parts.isEmpty { self.advance() }
            guard parts.count < Self.deepest else { throw self.fault("a key has more than \(Self.deepest) parts") }
            self.skipBlanks()
            parts.append(try self.keyPart())
            self.skipBlanks()
        } while self.byte == UInt8(ascii: ".")
        return parts
    }

    private mutating func keyPart() throws(ConfigurationFault) -> String {
        switch self.byte {
        case UInt8(ascii: "\""): return try self.basicString()
        case UInt8(ascii: "'"): return try self.literalString()
        default:
            let start = self.position
            while let byte, Self.isBare(byte) { self.advance() }
            guard self.position > start else {
                throw self.fault("a key has letters, digits, _ and -, or stands in quotes; here is \(self.shown)")
            }
            return self.text(from: start)
        }
    }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}
