package import NIOCore

/// One JSON value as the text that its writer chose: never decoded, never encoded again.
///
/// Values are equal if their bytes are, so `1.0` and `1` differ.
///
/// Semantics: protocol.md, "Values"; RFC 8259.
public struct JSONText: Sendable {
    /// The limit on nesting: the message around a value takes one of the 64 levels.
    public static let maximumDepth = JSONScanner.maximumDepth - 1

    /// The shortest value that stays in the buffer it was received in, if the buffer holds little else.
    private static let longBytes = 4096

    private enum Storage: Sendable {
        /// A part of the received bytes.
        case buffer(ByteBuffer)
        /// Memory of its own: one piece of it, and none for up to 15 bytes.
        case text(String)
    }

    private let storage: Storage

    /// Checks a text for one JSON value, drops white space around it, and throws ``JSONError`` with the fault.
    public init(_ text: String) throws(JSONError) {
        let utf8 = text.utf8
        let range = try JSONScanner.soleValue(in: utf8.span, maximumDepth: Self.maximumDepth)
        guard range.count < utf8.count else {
            self.storage = .text(text)
            return
        }
        let start = utf8.index(utf8.startIndex, offsetBy: range.lowerBound)
        let end = utf8.index(start, offsetBy: range.count)
        self.storage = .text(String(text[start..<end]))
    }

    package init(validating bytes: ByteBuffer) throws(JSONError) {
        let range = try JSONScanner.soleValue(in: bytes.readableBytesUInt8Span, maximumDepth: Self.maximumDepth)
        self.init(unchecked: bytes, range: range)
    }

    /// Takes a part of a buffer that the scanner has checked.
    package init(unchecked bytes: ByteBuffer, range: Range<Int>) {
        var slice = bytes
        slice.moveReaderIndex(forwardBy: range.lowerBound)
        slice.moveWriterIndex(to: slice.readerIndex + range.count)
        self.storage = .buffer(slice)
    }

    /// Takes a text that is one JSON value without white space around it.
    package init(unchecked text: String) {
        self.storage = .text(text)
    }

    private init(_ storage: Storage) {
        self.storage = storage
    }

    /// The JSON string with these characters, in quotes and with escapes only where JSON demands them.
    public static func string(_ characters: String) -> JSONText {
        var bytes = ByteBuffer()
        bytes.writeJSONString(characters)
        return JSONText(.buffer(bytes))
    }

    /// The JSON value `null`.
    public static let null = JSONText(.text("null"))

    /// The JSON number with this value, in decimal.
    public static func integer(_ value: Int) -> JSONText {
        JSONText(.text(String(value)))
    }

    /// The length of the text in bytes.
    public var byteCount: Int {
        switch self.storage {
        case .buffer(let bytes): bytes.readableBytes
        case .text(let text): text.utf8.count
        }
    }

    /// The text.
    public var text: String {
        switch self.storage {
        case .buffer(let bytes): bytes.withUnsafeReadableBytes { String(decoding: $0, as: UTF8.self) }
        case .text(let text): text
        }
    }

    /// The text's bytes, copied unless they are in a buffer.
    package var bytes: ByteBuffer {
        switch self.storage {
        case .buffer(let bytes): bytes
        case .text(let text): ByteBuffer(string: text)
        }
    }

    /// Calls the closure with the text's bytes.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        switch self.storage {
        case .buffer(let bytes):
            return try bytes.withUnsafeReadableBytes(body)
        case .text(var text):
            return try text.withUTF8 { try body(UnsafeRawBufferPointer($0)) }
        }
    }

    /// The value in memory of its own, so that it does not keep the received bytes.
    ///
    /// A value that was detached before is not copied again, and neither is a long text that fills most of its buffer.
    package var detached: JSONText {
        guard case .buffer(let bytes) = self.storage,
            self.byteCount < Self.longBytes || bytes.storageCapacity >= 2 * self.byteCount
        else { return self }
        return JSONText(.text(self.text))
    }
}

extension JSONText {
    /// The value in memory that is used again once no other value refers to it.
    ///
    /// A holder of the newest of many values alternates between two of these, and allocates only at first.
    package func copied(into memory: inout ByteBuffer) -> JSONText {
        let count = self.byteCount
        if memory.capacity > 4 * max(1024, count) { memory = ByteBuffer() }
        memory.clear(minimumCapacity: count)
        self.withBytes { _ = memory.writeBytes($0) }
        return JSONText(.buffer(memory))
    }
}

extension JSONText: Hashable {
    /// Whether both have the same bytes.
    public static func == (left: JSONText, right: JSONText) -> Bool {
        left.withBytes { left in
            right.withBytes { right in
                left.count == right.count && (left.baseAddress == right.baseAddress || left.elementsEqual(right))
            }
        }
    }

    /// Whether the text's bytes come behind those of another one, byte by byte.
    package func isGreater(than other: JSONText) -> Bool {
        self.withBytes { own in other.withBytes { other in other.lexicographicallyPrecedes(own) } }
    }

    /// Feeds the text's bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        self.withBytes { hasher.combine(bytes: $0) }
    }
}

extension JSONText: CustomStringConvertible {
    /// The text.
    public var description: String { self.text }
}
