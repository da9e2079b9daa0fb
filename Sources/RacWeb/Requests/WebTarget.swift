import NIOHTTP1

/// The target of a request in its parts: the segments of the path without percent signs, and the query.
///
/// Semantics: docs/web.md, "Names"; RFC 3986.
package struct WebTarget: Equatable, Sendable {
    package let segments: [String]
    package let query: [String: String]

    /// Reads the target of a request line.
    package init(_ target: String) throws(WebProblem) {
        var marks = Marks()
        for (place, byte) in target.utf8.enumerated() { marks.look(at: byte, place) }
        // Bytes that are no UTF-8 would have become a character of their own.
        guard marks.isASCII else {
            throw WebProblem(
                .badRequest,
                "bad-name",
                "the target of a request has percent signs for bytes beyond ASCII"
            )
        }
        guard target.utf8.first == UInt8(ascii: "/"), !marks.hasFragment else {
            throw WebProblem(.badRequest, "bad-message", "the target of a request begins with / and has no #")
        }
        let mark = marks.query.map { target.utf8.index(target.startIndex, offsetBy: $0) }
        let path = target.utf8[..<(mark ?? target.utf8.endIndex)].dropFirst()
        var segments: [String] = []
        for segment in path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) {
            guard marks.hasPercent else {
                segments.append(String(Substring(segment)))
                continue
            }
            let decoded = try Self.decoded(segment, isSegment: true)
            // A generated client writes a whole name as one segment. Elsewhere a proxy could read another path than the daemon.
            guard !decoded.contains("/") || Self.isInName(behind: segments) else {
                let help = "%2F stands only in the name of a channel or of a command"
                throw WebProblem(.badRequest, "bad-name", help)
            }
            segments += decoded.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        }
        self.segments = segments
        self.query = try mark.map { target.utf8[$0...].dropFirst() }.map(Self.query) ?? [:]
    }

    /// The signs of a target that have a meaning of their own.
    private struct Marks {
        var isASCII = true
        var hasFragment = false
        var hasPercent = false
        /// The place of the first question mark.
        var query: Int?

        mutating func look(at byte: UInt8, _ place: Int) {
            switch byte {
            case UInt8(ascii: "#"): self.hasFragment = true
            case UInt8(ascii: "%"): self.hasPercent = true
            case UInt8(ascii: "?"): self.query = self.query ?? place
            case 0x80...: self.isASCII = false
            default: break
            }
        }
    }

    private static func isInName(behind segments: [String]) -> Bool {
        segments.count > 1 && segments[0] == "v1" && ["channels", "commands"].contains(segments[1])
    }

    private static func query(_ text: Substring.UTF8View) throws(WebProblem) -> [String: String] {
        var query: [String: String] = [:]
        for pair in text.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let key = try Self.decoded(parts[0], isSegment: false)
            let value = parts.count == 1 ? "" : try Self.decoded(parts[1], isSegment: false)
            guard query.updateValue(value, forKey: key) == nil else {
                throw WebProblem(.badRequest, "bad-message", "the query has the key '\(key.prefix(100))' twice")
            }
        }
        return query
    }

    private static func decoded(_ text: Substring.UTF8View, isSegment: Bool) throws(WebProblem) -> String {
        let isPlain = text.allSatisfy { $0 != UInt8(ascii: "%") && (isSegment || $0 != UInt8(ascii: "+")) }
        if isPlain { return String(Substring(text)) }
        var bytes: [UInt8] = []
        var rest = text.makeIterator()
        while let byte = rest.next() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte == UInt8(ascii: "+") && !isSegment ? UInt8(ascii: " ") : byte)
                continue
            }
            guard let high = rest.next().flatMap(Self.digit), let low = rest.next().flatMap(Self.digit) else {
                throw WebProblem(.badRequest, "bad-message", "a percent sign is followed by two hexadecimal digits")
            }
            bytes.append(high << 4 | low)
        }
        guard let decoded = String(validating: bytes, as: UTF8.self) else {
            throw WebProblem(.badRequest, "bad-name", "the target of a request is UTF-8 with percent signs")
        }
        return decoded
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        Character(UnicodeScalar(byte)).hexDigitValue.map(UInt8.init)
    }
}
