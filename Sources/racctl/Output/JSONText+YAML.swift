import NIOCore
import RacConnection
import RacProtocol

extension JSONText {
    /// The value as YAML 1.1 and 1.2 read it, on one line.
    ///
    /// JSON is nearly YAML. Readers of 1.1 take a number with an exponent for a string unless it has a point and a sign.
    /// They refuse tabs, long keys without a mark, and control characters. No reader joins the halves of a surrogate pair.
    var yaml: String {
        var writer = YAMLWriter(Array(self.text.utf8))
        return writer.written()
    }
}

/// Writes a checked JSON text as YAML.
private struct YAMLWriter {
    /// A longer key is found with a mark before it only; YAML looks 1024 characters ahead.
    private static let longestPlainKey = 1000

    private let bytes: [UInt8]
    private var place = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func written() -> String {
        var text = ""
        while self.place < self.bytes.count {
            switch self.bytes[self.place] {
            case UInt8(ascii: "\""): text += self.string()
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): text += self.number()
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"):
                text += " "
                self.place += 1
            case let byte:
                text.unicodeScalars.append(Unicode.Scalar(byte))
                self.place += 1
            }
        }
        return text
    }

    private mutating func string() -> String {
        let start = self.place + 1
        self.place = start
        while self.place < self.bytes.count, self.bytes[self.place] != UInt8(ascii: "\"") {
            self.place += self.bytes[self.place] == UInt8(ascii: "\\") ? 2 : 1
        }
        let end = min(self.place, self.bytes.count)
        self.place = end + 1
        let written = String(decoding: self.bytes[start..<end], as: UTF8.self)
        let characters = JSONString.characters(of: ByteBuffer(string: written)) ?? written
        let text = "\"\(characters.unicodeScalars.map(Self.escaped).joined())\""
        return self.isKey && text.unicodeScalars.count > Self.longestPlainKey ? "? \(text) " : text
    }

    /// Whether a colon follows.
    private var isKey: Bool {
        self.bytes[min(self.place, self.bytes.count)...].first { !" \n\r\t".utf8.contains($0) } == UInt8(ascii: ":")
    }

    /// A scalar inside double quotes, escaped where YAML would refuse it, or fold it as a line break.
    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"", "\\": "\\\(scalar)"
        case "\n": "\\n"
        case "\t": "\\t"
        case "\u{0}"..<" ", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{2029}", "\u{FEFF}", "\u{FFFE}"..."\u{FFFF}":
            scalar.jsonEscape
        default: "\(scalar)"
        }
    }

    private mutating func number() -> String {
        let start = self.place
        while self.place < self.bytes.count, "+-.eE0123456789".utf8.contains(self.bytes[self.place]) { self.place += 1 }
        let digits = self.bytes[start..<self.place]
        let number = String(decoding: digits, as: UTF8.self)
        guard let mark = digits.firstIndex(where: { $0 | 0x20 == UInt8(ascii: "e") }) else { return number }
        let (base, exponent) = (digits[..<mark], digits[(mark + 1)...])
        let isSigned = exponent.first.map("+-".utf8.contains) == true
        return String(decoding: base, as: UTF8.self) + (base.contains(UInt8(ascii: ".")) ? "" : ".0")
            + "e" + (isSigned ? "" : "+") + String(decoding: exponent, as: UTF8.self)
    }
}
