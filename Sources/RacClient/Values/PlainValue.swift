import RacProtocol

/// A type whose JSON is read and written without Foundation.
///
/// Only texts that both ways take alike are read and written here. Foundation decides on all others, so every result, failure
/// and byte is as Foundation's coders make it.
protocol PlainValue: Codable, Sendable {
    /// Reads a value at the scanner's position; nil leaves the text to Foundation.
    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> Self?
    /// Appends the value's JSON; false leaves the value to Foundation.
    func write(to text: inout String) -> Bool

    // Requirements, so that each type has its own compiled copy: arrays and codings are chosen at run time.

    /// Reads an array of values at the scanner's position; nil leaves the text to Foundation.
    static func readArray(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> [Self]?
    /// Appends the JSON of an array of values; false leaves it to Foundation.
    static func write(_ values: [Self], to text: inout String) -> Bool
    /// Reads a value of a whole text; nil leaves the text to Foundation.
    static func value(of text: JSONText) -> Self?
    /// The value's JSON; nil leaves the value to Foundation.
    var json: JSONText? { get }
}

extension PlainValue {
    static func readArray(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> [Self]? {
        guard scanner.accept(UInt8(ascii: "["), bytes) else { return nil }
        var values: [Self] = []
        guard !scanner.accept(UInt8(ascii: "]"), bytes) else { return values }
        repeat {
            guard let value = Self.read(&scanner, bytes) else { return nil }
            values.append(value)
        } while scanner.accept(UInt8(ascii: ","), bytes)
        return values
    }

    static func write(_ values: [Self], to text: inout String) -> Bool {
        var isFirst = true
        text.append("[")
        for value in values {
            if !isFirst { text.append(",") }
            isFirst = false
            guard value.write(to: &text) else { return false }
        }
        text.append("]")
        return true
    }

    static func value(of text: JSONText) -> Self? {
        text.withBytes { bytes in
            var scanner = JSONScanner()
            return Self.read(&scanner, bytes.bindMemory(to: UInt8.self).span)
        }
    }

    var json: JSONText? {
        var text = ""
        return self.write(to: &text) ? JSONText(unchecked: text) : nil
    }
}

extension Array: PlainValue where Element: PlainValue {
    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> [Element]? {
        Element.readArray(&scanner, bytes)
    }

    func write(to text: inout String) -> Bool {
        Element.write(self, to: &text)
    }
}

extension Optional: PlainValue where Wrapped: PlainValue {
    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> Wrapped?? {
        scanner.readNull(bytes) ? .some(nil) : Wrapped.read(&scanner, bytes).map { .some($0) }
    }

    func write(to text: inout String) -> Bool {
        if let value = self { return value.write(to: &text) }
        text.append("null")
        return true
    }
}
