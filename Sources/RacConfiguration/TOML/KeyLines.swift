/// The lines of the keys of a TOML text, for messages.
///
/// A key of an inline table has none of its own: the line of the table stands for it. The text is one that TOMLKit takes, and
/// any other text has some lines, too.
struct KeyLines {
    private let lines: [[String]: Int]
    /// The line of the first header whose name begins with a character that begins no name; nil if there is none.
    let faultyHeader: Int?

    init(of text: String) {
        var scanner = KeyScanner(text)
        self.lines = scanner.scan()
        self.faultyHeader = scanner.faultyHeader
    }

    /// The line of a path of keys and indexes, or of the nearest one that it lies in; nil if there is none.
    func line(of path: [String]) -> Int? {
        var path = path
        while !path.isEmpty {
            if let line = self.lines[path] { return line }
            path.removeLast()
        }
        return nil
    }
}

/// Walks over a TOML text once and notes where its keys and headers stand.
private struct KeyScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var header: [String] = []
    private var counts: [[String]: Int] = [:]
    private var lines: [[String]: Int] = [:]
    private(set) var faultyHeader: Int?

    init(_ text: String) {
        self.bytes = Array(text.utf8)
    }

    private var byte: UInt8? { self.position < self.bytes.count ? self.bytes[self.position] : nil }

    mutating func scan() -> [[String]: Int] {
        while let byte = self.byte {
            switch byte {
            case UInt8(ascii: "\n"), UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): self.advance()
            case UInt8(ascii: "#"): self.skipLine()
            case UInt8(ascii: "["): self.takeHeader()
            default: self.takeKey()
            }
        }
        return self.lines
    }

    private mutating func advance() {
        if self.byte == UInt8(ascii: "\n") { self.line += 1 }
        self.position += 1
    }

    private mutating func skipLine() {
        while let byte = self.byte, byte != UInt8(ascii: "\n") { self.advance() }
    }

    private mutating func takeHeader() {
        self.advance()
        let isElement = self.byte == UInt8(ascii: "[")
        if isElement { self.advance() }
        self.checkBeginning()
        var path = self.resolved(self.name(before: UInt8(ascii: "]")))
        if isElement {
            let number = self.counts[path, default: 0]
            self.counts[path] = number + 1
            self.note(path)
            path.append("\(number)")
        }
        self.note(path)
        self.header = path
        self.skipLine()
    }

    private mutating func checkBeginning() {
        let rest = self.bytes[self.position...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        guard let byte = rest.first, self.faultyHeader == nil else { return }
        let character = Character(UnicodeScalar(byte))
        let beginsName = character.isASCII && (character.isLetter || character.isNumber || "_-\"'".contains(character))
        // The reader of TOML tells these faults itself.
        guard !beginsName, !"[]\r\n".contains(character) else { return }
        self.faultyHeader = self.line
    }

    /// A path that goes through arrays of tables goes through their last elements.
    private func resolved(_ name: [String]) -> [String] {
        var path: [String] = []
        for (index, part) in name.enumerated() {
            path.append(part)
            if index < name.count - 1, let count = self.counts[path] { path.append("\(count - 1)") }
        }
        return path
    }

    private mutating func takeKey() {
        let name = self.name(before: UInt8(ascii: "="))
        for end in 1...max(1, name.count) { self.note(self.header + name.prefix(end)) }
        self.skipValue()
    }

    private mutating func note(_ path: [String]) {
        if self.lines[path] == nil { self.lines[path] = self.line }
    }

    /// The parts of a dotted key, and the position behind the byte that ends it.
    private mutating func name(before end: UInt8) -> [String] {
        var parts: [String] = []
        var part: [UInt8] = []
        func text() -> String { String(decoding: part, as: UTF8.self) }
        while let byte = self.byte, byte != end, byte != UInt8(ascii: "\n") {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): part += self.quoted()
            case UInt8(ascii: "."):
                parts.append(text())
                part = []
                self.advance()
            case UInt8(ascii: " "), UInt8(ascii: "\t"): self.advance()
            default:
                part.append(byte)
                self.advance()
            }
        }
        parts.append(text())
        if self.byte == end { self.advance() }
        return parts
    }

    /// Goes to the end of a value: of its line, unless brackets or long strings go on.
    private mutating func skipValue() {
        var depth = 0
        while let byte = self.byte, depth > 0 || byte != UInt8(ascii: "\n") {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = self.quoted()
            case UInt8(ascii: "#"): self.skipLine()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                depth += 1
                self.advance()
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                depth -= 1
                self.advance()
            default: self.advance()
            }
        }
    }

    /// The bytes between quotes, and the position behind them; three quotes begin a string of several lines.
    private mutating func quoted() -> [UInt8] {
        guard let quote = self.byte else { return [] }
        let isLong = self.bytes[self.position...].starts(with: [quote, quote, quote])
        let marks = isLong ? 3 : 1
        for _ in 0..<marks { self.advance() }
        let start = self.position
        while let byte = self.byte, isLong || byte != UInt8(ascii: "\n") {
            if self.bytes[self.position...].starts(with: repeatElement(quote, count: marks)) { break }
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") { self.advance() }
            if self.byte != nil { self.advance() }
        }
        let content = Array(self.bytes[start..<self.position])
        for _ in 0..<marks where self.byte == quote { self.advance() }
        return content
    }
}
