import NIOCore
import RacConnection
import RacProtocol

/// A JSON value by its meaning: the order of members, white space and the spelling of numbers and strings do not count.
enum JSONTree: Equatable {
    case null
    case bool(Bool)
    case number(JSONNumber)
    /// In UTF-8, because two spellings of one character are two strings.
    case string([UInt8])
    case array([JSONTree])
    case object([[UInt8]: JSONTree])

    init(_ text: JSONText) throws(JSONError) {
        var scanner = JSONScanner()
        self = try TreeReader(text).value(&scanner)
    }

    /// The keys of an object, in their order; none of any other text.
    static func keys(of text: String) -> [String] {
        guard let value = try? JSONText(text) else { return [] }
        return (try? TreeReader(value).keys()) ?? []
    }

    /// The order of two values, numbers by value and strings by their bytes; nil if they have none.
    static func isLess(_ left: JSONTree, than right: JSONTree) -> Bool? {
        switch (left, right) {
        case (.number(let left), .number(let right)): left < right
        case (.string(let left), .string(let right)): left.lexicographicallyPrecedes(right)
        default: nil
        }
    }
}

/// Builds a tree of the values that the scanner finds.
private struct TreeReader {
    /// The text, made into a buffer once: each string is a part of it.
    private let buffer: ByteBuffer
    private let bytes: [UInt8]

    init(_ text: JSONText) {
        self.buffer = text.bytes
        self.bytes = Array(self.buffer.readableBytesView)
    }

    func value(_ scanner: inout JSONScanner) throws(JSONError) -> JSONTree {
        if scanner.accept(UInt8(ascii: "{"), self.bytes.span) { return .object(try self.members(&scanner)) }
        if scanner.accept(UInt8(ascii: "["), self.bytes.span) { return .array(try self.elements(&scanner)) }
        let start = scanner.position
        try scanner.skipValue(self.bytes.span)
        return self.scalar(start..<scanner.position)
    }

    private func members(_ scanner: inout JSONScanner) throws(JSONError) -> [[UInt8]: JSONTree] {
        var members: [[UInt8]: JSONTree] = [:]
        if scanner.accept(UInt8(ascii: "}"), self.bytes.span) { return members }
        repeat {
            scanner.skipSpace(self.bytes.span)
            let start = scanner.position
            try scanner.skipString(self.bytes.span)
            let key = self.characters(start..<scanner.position)
            try scanner.expect(UInt8(ascii: ":"), self.bytes.span)
            members[key] = try self.value(&scanner)
        } while scanner.accept(UInt8(ascii: ","), self.bytes.span)
        try scanner.expect(UInt8(ascii: "}"), self.bytes.span)
        return members
    }

    func keys() throws(JSONError) -> [String] {
        var scanner = JSONScanner()
        var keys: [String] = []
        guard scanner.accept(UInt8(ascii: "{"), self.bytes.span), !scanner.accept(UInt8(ascii: "}"), self.bytes.span)
        else { return keys }
        repeat {
            scanner.skipSpace(self.bytes.span)
            let start = scanner.position
            try scanner.skipString(self.bytes.span)
            keys.append(String(decoding: self.characters(start..<scanner.position), as: UTF8.self))
            try scanner.expect(UInt8(ascii: ":"), self.bytes.span)
            try scanner.skipValue(self.bytes.span)
        } while scanner.accept(UInt8(ascii: ","), self.bytes.span)
        return keys
    }

    private func elements(_ scanner: inout JSONScanner) throws(JSONError) -> [JSONTree] {
        var elements: [JSONTree] = []
        if scanner.accept(UInt8(ascii: "]"), self.bytes.span) { return elements }
        repeat { elements.append(try self.value(&scanner)) } while scanner.accept(UInt8(ascii: ","), self.bytes.span)
        try scanner.expect(UInt8(ascii: "]"), self.bytes.span)
        return elements
    }

    private func scalar(_ range: Range<Int>) -> JSONTree {
        switch self.bytes[range.lowerBound] {
        case UInt8(ascii: "n"): .null
        case UInt8(ascii: "t"): .bool(true)
        case UInt8(ascii: "f"): .bool(false)
        case UInt8(ascii: "\""): .string(self.characters(range))
        default: .number(JSONNumber(self.bytes[range]))
        }
    }

    /// The meaning of a string.
    ///
    /// Half a surrogate pair has none, so such a string stands for itself.
    private func characters(_ range: Range<Int>) -> [UInt8] {
        let inner = range.lowerBound + 1..<range.upperBound - 1
        let written = JSONText(unchecked: self.buffer, range: inner).bytes
        return JSONString.characters(of: written).map { Array($0.utf8) } ?? Array(self.bytes[inner])
    }
}
