/// The name of a channel: 1 to 255 bytes of UTF-8 in segments parted by `/`.
///
/// No segment is empty, and a name has no control character and no `*`. Names are equal if their bytes are, without
/// Unicode normalisation. Names are ordered by their bytes.
///
/// Semantics: protocol.md, "Names".
public struct ChannelName: Sendable {
    /// The longest name, in bytes.
    public static let maximumBytes = 255

    /// The name's text.
    public let text: String

    /// Checks a text for use as a name, and throws ``NameError`` with the fault.
    public init(_ text: String) throws(NameError) {
        try NameRules.check(text, as: .channel)
        self.text = text
    }

    init(checked text: String) {
        self.text = text
    }

    /// Whether the name is one of the daemon's own, which clients bind and read and do not write.
    public var isReserved: Bool { self.text.utf8.first == UInt8(ascii: "$") }

    package func hasPrefix(_ prefix: ChannelName) -> Bool {
        self.text.utf8.starts(with: prefix.text.utf8)
    }
}

extension ChannelName: Hashable, Comparable, CustomStringConvertible {
    /// Whether both names have the same bytes.
    public static func == (left: ChannelName, right: ChannelName) -> Bool {
        ByteOrder.areEqual(left.text, right.text)
    }

    /// Whether the left name's bytes come first.
    public static func < (left: ChannelName, right: ChannelName) -> Bool {
        ByteOrder.isBefore(left.text, right.text)
    }

    /// Feeds the name's bytes to the hasher.
    public func hash(into hasher: inout Hasher) {
        var text = self.text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// The name's text.
    public var description: String { self.text }
}

/// The fault in the text of a name or a pattern.
public struct NameError: Error, Equatable, Sendable, CustomStringConvertible {
    /// A sentence that names the fault and its remedy.
    public let description: String
}

enum NameRules {
    /// The text's purpose, as refusals call it.
    enum Kind: String {
        case channel = "a channel's name"
        case command = "a command's name"
        case pattern = "a pattern"
    }

    static func check(_ text: String, as kind: Kind) throws(NameError) {
        let what = kind.rawValue
        let count = text.utf8.count
        guard count > 0 else { throw NameError(description: "\(what) has at least one byte") }
        guard count <= ChannelName.maximumBytes else {
            throw NameError(description: "\(what) has at most \(ChannelName.maximumBytes) bytes, not \(count)")
        }
        var text = text
        let result = text.withUTF8 { bytes in
            Result { () throws(NameError) in try self.check(bytes, as: kind) }
        }
        try result.get()
    }

    private static func check(_ bytes: UnsafeBufferPointer<UInt8>, as kind: Kind) throws(NameError) {
        var segment = Segment()
        var previous: UInt8 = 0
        for byte in bytes {
            guard !Self.isControl(byte, after: previous) else {
                throw NameError(description: "\(kind.rawValue) has no control characters")
            }
            if byte == UInt8(ascii: "/") {
                try Self.check(segment, kind)
                segment = Segment()
            } else {
                segment.count += 1
                if byte == UInt8(ascii: "*") { segment.stars += 1 }
            }
            previous = byte
        }
        try Self.check(segment, kind)
    }

    private struct Segment {
        var count = 0
        var stars = 0
    }

    private static func check(_ segment: Segment, _ kind: Kind) throws(NameError) {
        guard segment.count > 0 else {
            throw NameError(description: "\(kind.rawValue) has no empty segments: no / at either end, none doubled")
        }
        guard segment.stars == 0 || kind == .pattern else {
            throw NameError(description: "\(kind.rawValue) has no *: patterns do")
        }
        guard segment.stars == 0 || (segment.stars == segment.count && segment.stars <= 2) else {
            throw NameError(description: "in a pattern * and ** stand for whole segments")
        }
    }

    /// Whether a byte, with the one before it, is one of U+0000 to U+001F or U+007F to U+009F.
    private static func isControl(_ byte: UInt8, after previous: UInt8) -> Bool {
        byte < 0x20 || byte == 0x7F || (previous == 0xC2 && (0x80...0x9F).contains(byte))
    }
}
