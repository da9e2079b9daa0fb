package import NIOCore

/// One JSON value as text, exactly as somebody wrote it: never decoded, never encoded again.
///
/// Equal means the same bytes, so `1.0` and `1` differ.
///
/// Semantics: protocol.md, "Values"; RFC 8259.
public struct JSONText: Hashable, Sendable {
    /// How deep a value may be nested: the message around it takes one of the 64 levels.
    public static let maximumDepth = JSONScanner.maximumDepth - 1

    package let bytes: ByteBuffer

    /// Checks a text for being one JSON value; white space around it is left out.
    ///
    /// - Parameter text: The text to check.
    /// - Throws: ``JSONError`` saying what is wrong and at which byte.
    public init(_ text: String) throws(JSONError) {
        try self.init(validating: ByteBuffer(string: text))
    }

    package init(validating bytes: ByteBuffer) throws(JSONError) {
        let range = try JSONScanner.soleValue(in: bytes.readableBytesUInt8Span, maximumDepth: Self.maximumDepth)
        self.init(unchecked: bytes, range: range)
    }

    /// Takes a part of a buffer that the scanner has already been over.
    package init(unchecked bytes: ByteBuffer, range: Range<Int>) {
        var slice = bytes
        slice.moveReaderIndex(forwardBy: range.lowerBound)
        slice.moveWriterIndex(to: slice.readerIndex + range.count)
        self.bytes = slice
    }

    private init(bytes: ByteBuffer) {
        self.bytes = bytes
    }

    /// The JSON string with these characters.
    ///
    /// - Parameter characters: Any text.
    /// - Returns: The string with its quotes, with escapes only where JSON demands them.
    public static func string(_ characters: String) -> JSONText {
        var bytes = ByteBuffer()
        bytes.writeJSONString(characters)
        return JSONText(bytes: bytes)
    }

    /// The JSON value `null`.
    public static let null = JSONText(bytes: ByteBuffer(string: "null"))

    /// The JSON number with this value.
    ///
    /// - Parameter value: Any integer.
    /// - Returns: The number in decimal.
    public static func integer(_ value: Int) -> JSONText {
        JSONText(bytes: ByteBuffer(string: String(value)))
    }

    /// The length of the text in bytes.
    public var byteCount: Int { self.bytes.readableBytes }

    /// The text.
    public var text: String { String(buffer: self.bytes) }

    /// The same text in memory of its own, so that keeping it does not keep what it came in.
    ///
    /// Nothing is copied if that is less than twice as long, as what was detached before is.
    package var detached: JSONText {
        guard self.bytes.storageCapacity >= 2 * self.byteCount else { return self }
        var copy = ByteBuffer()
        copy.reserveCapacity(self.byteCount)
        copy.writeImmutableBuffer(self.bytes)
        return JSONText(bytes: copy)
    }
}

extension JSONText {
    /// The same text in memory that is used again as soon as nobody else refers to it.
    ///
    /// Who keeps the newest of many values copies them in turn into two of these, and asks for memory only at first.
    package func copied(into memory: inout ByteBuffer) -> JSONText {
        let count = self.bytes.readableBytes
        if memory.capacity > 4 * max(1024, count) { memory = ByteBuffer() }
        memory.clear(minimumCapacity: count)
        memory.writeImmutableBuffer(self.bytes)
        return JSONText(bytes: memory)
    }
}

extension JSONText: CustomStringConvertible {
    /// The text.
    public var description: String { self.text }
}
