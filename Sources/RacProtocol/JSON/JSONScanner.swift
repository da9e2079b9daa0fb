/// Checks JSON text without building values: RFC 8259 strictly, with strings in valid UTF-8.
///
/// A scanner is a position and does not own the bytes, so every step takes them.
package struct JSONScanner: Sendable {
    /// The limit on nested objects and arrays.
    package static let maximumDepth = 64

    package private(set) var position: Int
    private let maximumDepth: Int

    package init(at position: Int = 0, maximumDepth: Int = JSONScanner.maximumDepth) {
        self.position = position
        self.maximumDepth = maximumDepth
    }

    /// The range of the only value in the bytes, without the white space around it.
    package static func soleValue(
        in bytes: Span<UInt8>,
        maximumDepth: Int = JSONScanner.maximumDepth
    ) throws(JSONError) -> Range<Int> {
        var scanner = JSONScanner(maximumDepth: maximumDepth)
        scanner.skipSpace(bytes)
        let start = scanner.position
        try scanner.skipValue(bytes)
        let end = scanner.position
        try scanner.expectEnd(bytes)
        return start..<end
    }

    package mutating func skipSpace(_ bytes: Span<UInt8>) {
        while self.position < bytes.count, Self.isSpace(bytes[self.position]) {
            self.position += 1
        }
    }

    /// Expects that only white space is left.
    package mutating func expectEnd(_ bytes: Span<UInt8>) throws(JSONError) {
        self.skipSpace(bytes)
        guard self.position == bytes.count else { throw self.fault(.trailingBytes) }
    }

    /// Passes a required byte, after white space.
    package mutating func expect(_ byte: UInt8, _ bytes: Span<UInt8>) throws(JSONError) {
        self.skipSpace(bytes)
        guard try self.current(bytes) == byte else { throw self.unexpected(bytes) }
        self.position += 1
    }

    /// Passes an optional byte, after white space; returns whether it was there.
    package mutating func accept(_ byte: UInt8, _ bytes: Span<UInt8>) -> Bool {
        self.skipSpace(bytes)
        guard self.position < bytes.count, bytes[self.position] == byte else { return false }
        self.position += 1
        return true
    }

    /// Passes one value that begins at the position, inside `depth` open containers.
    package mutating func skipValue(_ bytes: Span<UInt8>, inside depth: Int = 0) throws(JSONError) {
        var open = OpenContainers(count: depth)
        let floor = depth
        while true {
            let closed = try self.skipScalarOrOpen(bytes, &open)
            guard closed else { continue }
            guard try self.closeAndContinue(bytes, &open, floor: floor) else { return }
        }
    }

    /// Passes an object or an array of any depth, of which only the strings are checked.
    mutating func skipContainer(_ bytes: Span<UInt8>) throws(JSONError) {
        var depth = 0
        repeat {
            switch try self.current(bytes) {
            case UInt8(ascii: "\""):
                try self.skipString(bytes)
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            self.position += 1
        } while depth > 0
    }

    /// Passes a string with its quotes; returns whether it has a backslash.
    @discardableResult
    package mutating func skipString(_ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        guard try self.current(bytes) == UInt8(ascii: "\"") else { throw self.unexpected(bytes) }
        self.position += 1
        var escaped = false
        while true {
            self.skipPlain(bytes)
            let byte = try self.current(bytes)
            switch byte {
            case UInt8(ascii: "\""):
                self.position += 1
                return escaped
            case UInt8(ascii: "\\"):
                escaped = true
                try self.skipEscape(bytes)
            case 0x20..<0x80:
                self.position += 1
            case 0x80...:
                try self.skipMultibyte(bytes)
            default:
                throw self.unexpected(bytes)
            }
        }
    }
}

extension JSONScanner {
    /// Moves to an offset that another scanner has reached.
    mutating func move(to position: Int) {
        self.position = position
    }

    /// Passes characters of a string without escapes, eight bytes at a time while eight are left.
    private mutating func skipPlain(_ bytes: Span<UInt8>) {
        while self.position + 8 <= bytes.count {
            let word = bytes.bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: self.position, as: UInt64.self)
            let special = Self.special(UInt64(littleEndian: word))
            self.position += special.trailingZeroBitCount / 8
            guard special == 0 else { return }
        }
    }

    /// Marks by its highest bit each byte that ends a run of plain characters: quote, escape, control, part of a longer
    /// character.
    ///
    /// Bytes above the first marked one may be marked wrongly.
    private static func special(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quotes = word ^ ones &* UInt64(UInt8(ascii: "\""))
        let escapes = word ^ ones &* UInt64(UInt8(ascii: "\\"))
        let controls = (word &- ones &* 0x20) & ~word
        return (word | (quotes &- ones) & ~quotes | (escapes &- ones) & ~escapes | controls) & (ones &* 0x80)
    }

    /// A bit for each open container, set for an object; the innermost is the lowest bit.
    private struct OpenContainers {
        var count: Int
        private var objects: UInt64 = 0

        init(count: Int) {
            self.count = count
        }

        var innermostIsObject: Bool { self.objects & 1 == 1 }

        mutating func push(object: Bool) {
            self.objects = self.objects << 1 | (object ? 1 : 0)
            self.count += 1
        }

        mutating func pop() {
            self.objects >>= 1
            self.count -= 1
        }
    }

    /// Passes a scalar or an empty container and returns true, or passes the opening of a container and returns false.
    private mutating func skipScalarOrOpen(
        _ bytes: Span<UInt8>,
        _ open: inout OpenContainers
    ) throws(JSONError) -> Bool {
        self.skipSpace(bytes)
        switch try self.current(bytes) {
        case UInt8(ascii: "\""): try self.skipString(bytes)
        case UInt8(ascii: "{"): return try self.openContainer(bytes, &open, object: true)
        case UInt8(ascii: "["): return try self.openContainer(bytes, &open, object: false)
        case UInt8(ascii: "t"): try self.skipWord("true", bytes)
        case UInt8(ascii: "f"): try self.skipWord("false", bytes)
        case UInt8(ascii: "n"): try self.skipWord("null", bytes)
        default: try self.skipNumber(bytes)
        }
        return true
    }

    private mutating func openContainer(
        _ bytes: Span<UInt8>,
        _ open: inout OpenContainers,
        object: Bool
    ) throws(JSONError) -> Bool {
        guard open.count < self.maximumDepth else { throw self.fault(.tooDeep) }
        self.position += 1
        guard !self.accept(object ? UInt8(ascii: "}") : UInt8(ascii: "]"), bytes) else { return true }
        open.push(object: object)
        if object { try self.skipKey(bytes) }
        return false
    }

    /// Closes the containers that end behind a value; returns whether another value follows.
    private mutating func closeAndContinue(
        _ bytes: Span<UInt8>,
        _ open: inout OpenContainers,
        floor: Int
    ) throws(JSONError) -> Bool {
        while open.count > floor {
            if self.accept(UInt8(ascii: ","), bytes) {
                if open.innermostIsObject { try self.skipKey(bytes) }
                return true
            }
            try self.expect(open.innermostIsObject ? UInt8(ascii: "}") : UInt8(ascii: "]"), bytes)
            open.pop()
        }
        return false
    }

    private mutating func skipKey(_ bytes: Span<UInt8>) throws(JSONError) {
        self.skipSpace(bytes)
        try self.skipString(bytes)
        try self.expect(UInt8(ascii: ":"), bytes)
    }

    private mutating func skipWord(_ word: StaticString, _ bytes: Span<UInt8>) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard try self.current(bytes) == word.utf8Start[index] else { throw self.unexpected(bytes) }
            self.position += 1
        }
    }

    private mutating func skipNumber(_ bytes: Span<UInt8>) throws(JSONError) {
        if try self.current(bytes) == UInt8(ascii: "-") { self.position += 1 }
        if try self.current(bytes) == UInt8(ascii: "0") {
            self.position += 1
        } else {
            try self.skipDigits(bytes)
        }
        if self.position < bytes.count, bytes[self.position] == UInt8(ascii: ".") {
            self.position += 1
            try self.skipDigits(bytes)
        }
        guard self.position < bytes.count, bytes[self.position] | 0x20 == UInt8(ascii: "e") else { return }
        self.position += 1
        let sign = try self.current(bytes)
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { self.position += 1 }
        try self.skipDigits(bytes)
    }

    private mutating func skipDigits(_ bytes: Span<UInt8>) throws(JSONError) {
        guard Self.isDigit(try self.current(bytes)) else { throw self.unexpected(bytes) }
        var end = self.position + 1
        while end < bytes.count, Self.isDigit(bytes[unchecked: end]) { end += 1 }
        self.position = end
    }

    private mutating func skipEscape(_ bytes: Span<UInt8>) throws(JSONError) {
        self.position += 1
        switch try self.current(bytes) {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            self.position += 1
        case UInt8(ascii: "u"):
            self.position += 1
            for _ in 0..<4 {
                guard Self.isHexDigit(try self.current(bytes)) else { throw self.unexpected(bytes) }
                self.position += 1
            }
        default:
            throw self.unexpected(bytes)
        }
    }

    /// Passes one character of several bytes: neither overlong, nor a surrogate, nor beyond U+10FFFF (RFC 3629).
    private mutating func skipMultibyte(_ bytes: Span<UInt8>) throws(JSONError) {
        let second: ClosedRange<UInt8>
        let length: Int
        switch bytes[self.position] {
        case 0xC2...0xDF: (length, second) = (2, 0x80...0xBF)
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xE1...0xEC, 0xEE...0xEF: (length, second) = (3, 0x80...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (length, second) = (4, 0x80...0xBF)
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw self.fault(.invalidUTF8)
        }
        guard self.position + length <= bytes.count else { throw self.fault(.invalidUTF8) }
        guard second.contains(bytes[self.position + 1]) else { throw self.fault(.invalidUTF8) }
        for index in (self.position + 2)..<max(self.position + 2, self.position + length) {
            guard bytes[index] & 0xC0 == 0x80 else { throw self.fault(.invalidUTF8) }
        }
        self.position += length
    }

    private func current(_ bytes: Span<UInt8>) throws(JSONError) -> UInt8 {
        guard self.position < bytes.count else { throw self.fault(.unexpectedEnd) }
        return bytes[self.position]
    }

    private func fault(_ fault: JSONError.Fault) -> JSONError {
        JSONError(fault: fault, offset: self.position)
    }

    private func unexpected(_ bytes: Span<UInt8>) -> JSONError {
        self.fault(.unexpectedByte(bytes[self.position]))
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        Self.isDigit(byte) || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(byte | 0x20)
    }
}
