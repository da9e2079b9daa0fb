import RacProtocol

/// A pattern in the first line and names in the others.
///
/// Validity and matches are those of a plain reading of
/// protocol.md, "Names".
enum NameTarget {
    static func run(_ input: [UInt8]) throws {
        guard let text = String(validating: input, as: UTF8.self) else { return }
        var lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map {
            String(Substring($0))
        }
        let patternText = lines.removeFirst()
        let pattern = try? ChannelPattern(patternText)
        guard (pattern != nil) == Self.isValid(patternText, asPattern: true) else {
            throw Finding("the pattern is \(pattern == nil ? "refused" : "taken")")
        }
        let names = try lines.compactMap(Self.name)
        for name in names {
            if let pattern { try Self.check(pattern, name) }
        }
        for (left, right) in zip(names, names.dropFirst()) {
            guard (left < right) == Array(left.text.utf8).lexicographicallyPrecedes(Array(right.text.utf8)),
                (left == right) == (Array(left.text.utf8) == Array(right.text.utf8))
            else { throw Finding("\(left) and \(right) are not ordered by their bytes") }
        }
    }

    private static func name(_ text: String) throws -> ChannelName? {
        let name = try? ChannelName(text)
        guard (name != nil) == Self.isValid(text, asPattern: false) else {
            throw Finding("the name \(text.debugDescription) is \(name == nil ? "refused" : "taken")")
        }
        return name
    }

    private static func check(_ pattern: ChannelPattern, _ name: ChannelName) throws {
        let (segments, parts) = (Self.segments(pattern.text), Self.segments(name.text))
        let isHidden = name.text.utf8.first == UInt8(ascii: "$") && segments[0].first == UInt8(ascii: "*")
        let expected = !isHidden && Self.matches(segments[...], parts[...])
        guard pattern.matches(name) == expected else { throw Finding("\(pattern) and \(name): not \(expected)") }
        guard !expected || pattern.literalPrefix.map(name.hasPrefix) ?? true else {
            throw Finding("\(name) does not begin as \(pattern) does")
        }
    }

    private static func segments(_ text: String) -> [[UInt8]] {
        text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map(Array.init)
    }

    private static func isValid(_ text: String, asPattern: Bool) -> Bool {
        guard (1...255).contains(text.utf8.count) else { return false }
        let hasControls = text.unicodeScalars.contains { $0.value < 0x20 || (0x7F...0x9F).contains($0.value) }
        return !hasControls
            && Self.segments(text).allSatisfy { segment in
                let isWild = segment == Array("*".utf8) || segment == Array("**".utf8)
                return !segment.isEmpty && (!segment.contains(UInt8(ascii: "*")) || (asPattern && isWild))
            }
    }

    /// Row by row: which beginnings of the name match the beginning of the pattern so far.
    private static func matches(_ segments: ArraySlice<[UInt8]>, _ parts: ArraySlice<[UInt8]>) -> Bool {
        var reached = [true] + parts.map { _ in false }
        for segment in segments {
            var next = reached.map { _ in false }
            for end in 0...parts.count {
                switch segment {
                case Array("**".utf8): next[end] = reached[...end].contains(true)
                case _ where end == 0: next[end] = false
                case Array("*".utf8): next[end] = reached[end - 1]
                default: next[end] = reached[end - 1] && parts[end - 1] == segment
                }
            }
            reached = next
        }
        return reached[parts.count]
    }
}
