/// A pattern of names: `*` stands for one segment, `**` for any number of segments, at any place.
///
/// A `*` or `**` at the beginning does not match names that begin with `$`: clients ask for the daemon's own channels
/// by name.
///
/// Semantics: protocol.md, "Names".
public struct ChannelPattern: Sendable {
    /// A part of a pattern between two `/`.
    package enum Segment: Hashable, Sendable {
        case literal([UInt8])
        case one
        case any

        var isLiteral: Bool {
            if case .literal = self { true } else { false }
        }
    }

    /// The pattern's text.
    public let text: String

    package let segments: [Segment]
    private let hasAny: Bool

    /// The bytes that every matching name begins with.
    package let literalPrefix: ChannelName?

    /// Whether the pattern is one of the daemon's own names.
    package var isReserved: Bool { self.text.utf8.first == UInt8(ascii: "$") }

    /// The pattern that matches every name but the daemon's own.
    public static let all = ChannelPattern(text: "**", segments: [.any])

    /// Checks a text for use as a pattern, and throws ``NameError`` with the fault.
    public init(_ text: String) throws(NameError) {
        try NameRules.check(text, as: .pattern)
        let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        self.init(text: text, segments: parts.map(Self.segment))
    }

    private init(text: String, segments: [Segment]) {
        self.text = text
        self.segments = segments
        self.hasAny = segments.contains(.any)
        let literals = segments.prefix { $0.isLiteral }.count
        let leading = text.split(separator: "/", omittingEmptySubsequences: false).prefix(literals)
        self.literalPrefix = try? ChannelName(leading.joined(separator: "/"))
    }

    private static func segment(_ part: Substring.UTF8View) -> Segment {
        switch (part.first, part.count) {
        case (UInt8(ascii: "*"), 1): .one
        case (UInt8(ascii: "*"), _): .any
        default: .literal(Array(part))
        }
    }

    /// The pairs of segments that `matches` compares at most, roughly.
    package func comparisons(with name: ChannelName) -> Int {
        self.hasAny ? self.segments.count * name.text.utf8.count / 2 : self.segments.count
    }

    /// Whether a name matches as a whole; the time grows at most with the product of both lengths.
    public func matches(_ name: ChannelName) -> Bool {
        if name.isReserved, !self.segments[0].isLiteral { return false }
        // Closed daemons ask at each request by name, so no array of the parts is made.
        let bytes = name.text.utf8
        var part: String.Index? = bytes.startIndex
        var segment = 0
        var retry: (segment: Int, part: String.Index)?
        while let start = part {
            if segment < self.segments.count, self.segments[segment] == .any {
                retry = (segment, start)
                segment += 1
                continue
            }
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
            if segment < self.segments.count, self.accepts(bytes[start..<end], at: segment) {
                part = Self.part(behind: end, in: bytes)
                segment += 1
            } else if let from = retry {
                let skipped = bytes[from.part...].firstIndex(of: UInt8(ascii: "/")) ?? bytes.endIndex
                part = Self.part(behind: skipped, in: bytes)
                if let part { retry = (from.segment, part) }
                segment = from.segment + 1
            } else {
                return false
            }
        }
        return self.segments[segment...].allSatisfy { $0 == .any }
    }

    /// Where the next part of a name begins; nil if the one that ends here is the last.
    private static func part(behind end: String.Index, in bytes: String.UTF8View) -> String.Index? {
        end == bytes.endIndex ? nil : bytes.index(after: end)
    }

    private func accepts(_ part: Substring.UTF8View, at index: Int) -> Bool {
        switch self.segments[index] {
        case .one, .any: true
        case .literal(let bytes): part.elementsEqual(bytes)
        }
    }
}

extension ChannelPattern: Hashable, CustomStringConvertible {
    /// Whether both patterns have the same bytes.
    public static func == (left: ChannelPattern, right: ChannelPattern) -> Bool {
        left.segments == right.segments
    }

    /// Feeds the pattern's segments to the hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(self.segments)
    }

    /// The pattern's text.
    public var description: String { self.text }
}
