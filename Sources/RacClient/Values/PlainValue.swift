import Rac
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
    /// Whether each value of the type has a JSON form.
    static var isAlwaysWritable: Bool { get }
    /// Whether the value has a JSON form that is written here.
    var isWritable: Bool { get }

    // The codings are requirements, so that each type has its own compiled copy of the way of a value.

    static func coding(_ coders: Coders) -> ValueCoding<Self>
    static func arrayCoding(_ coders: Coders) -> ValueCoding<[Self]>
    static func optionalCoding(_ coders: Coders) -> ValueCoding<Self?>
}

extension PlainValue {
    static var isAlwaysWritable: Bool { true }
    var isWritable: Bool { true }

    static func coding(_ coders: Coders) -> ValueCoding<Self> { .plain(coders) }
    static func arrayCoding(_ coders: Coders) -> ValueCoding<[Self]> { .plain(coders) }
    static func optionalCoding(_ coders: Coders) -> ValueCoding<Self?> { .plain(coders) }

    /// Reads a value of a whole text; nil leaves the text to Foundation.
    static func value(of text: JSONText) -> Self? {
        text.withBytes { bytes in
            var scanner = JSONScanner()
            return Self.read(&scanner, bytes.bindMemory(to: UInt8.self).span)
        }
    }

    /// The value's JSON; nil leaves the value to Foundation.
    var json: JSONText? {
        var text = ""
        return self.write(to: &text) ? JSONText(unchecked: text) : nil
    }
}

extension Array: PlainValue where Element: PlainValue {
    static func coding(_ coders: Coders) -> ValueCoding<[Element]> { Element.arrayCoding(coders) }
    static var isAlwaysWritable: Bool { Element.isAlwaysWritable }
    var isWritable: Bool { self.allSatisfy(\.isWritable) }

    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> [Element]? {
        guard scanner.accept(UInt8(ascii: "["), bytes) else { return nil }
        var values: [Element] = []
        guard !scanner.accept(UInt8(ascii: "]"), bytes) else { return values }
        // A short array asks for memory once. An element takes two bytes at least, with its comma or bracket.
        values.reserveCapacity(Swift.min(8, (bytes.count - scanner.position) / 2))
        repeat {
            guard let value = Element.read(&scanner, bytes) else { return nil }
            values.append(value)
        } while scanner.accept(UInt8(ascii: ","), bytes)
        return scanner.accept(UInt8(ascii: "]"), bytes) ? values : nil
    }

    func write(to text: inout String) -> Bool {
        var isFirst = true
        text.append("[")
        for value in self {
            if !isFirst { text.append(",") }
            isFirst = false
            guard value.write(to: &text) else { return false }
        }
        text.append("]")
        return true
    }
}

extension Optional: PlainValue where Wrapped: PlainValue {
    static func coding(_ coders: Coders) -> ValueCoding<Wrapped?> { Wrapped.optionalCoding(coders) }
    static var isAlwaysWritable: Bool { Wrapped.isAlwaysWritable }
    var isWritable: Bool { self?.isWritable ?? true }

    static func read(_ scanner: inout JSONScanner, _ bytes: Span<UInt8>) -> Wrapped?? {
        scanner.readNull(bytes) ? .some(nil) : Wrapped.read(&scanner, bytes).map { .some($0) }
    }

    func write(to text: inout String) -> Bool {
        if let value = self { return value.write(to: &text) }
        text.append("null")
        return true
    }
}
