import RacTesting

/// Writes random JSON texts in all the ways that the grammar allows.
enum JSONMaker {
    static func value(depth: Int = 4, using random: inout SeededRandom) -> String {
        let text =
            switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
            case 0: "null"
            case 1: "true"
            case 2: "false"
            case 3: Self.number(using: &random)
            case 4, 5: Self.string(using: &random)
            case 6: Self.list("[]", depth, using: &random) { Self.value(depth: depth - 1, using: &$0) }
            default: Self.list("{}", depth, using: &random) { Self.member(depth: depth, using: &$0) }
            }
        return Self.space(using: &random) + text + Self.space(using: &random)
    }

    private static func member(depth: Int, using random: inout SeededRandom) -> String {
        let key = Self.space(using: &random) + Self.string(using: &random) + Self.space(using: &random)
        return key + ":" + Self.value(depth: depth - 1, using: &random)
    }

    private static func list(
        _ brackets: String,
        _ depth: Int,
        using random: inout SeededRandom,
        element: (inout SeededRandom) -> String
    ) -> String {
        let count = Int.random(in: 0...3, using: &random)
        let elements = (0..<count).map { _ in element(&random) }
        let inner = count == 0 ? Self.space(using: &random) : elements.joined(separator: ",")
        return String(brackets.prefix(1)) + inner + String(brackets.suffix(1))
    }

    private static func number(using random: inout SeededRandom) -> String {
        let whole = ["0", "-0", "7", "-12", "345", "90071992547409931234"].randomElement(using: &random) ?? "0"
        let fraction = ["", "", ".0", ".25", ".000001"].randomElement(using: &random) ?? ""
        let exponent = ["", "", "e1", "E-7", "e+20", "E00"].randomElement(using: &random) ?? ""
        return whole + fraction + exponent
    }

    private static func string(using random: inout SeededRandom) -> String {
        let pieces = [
            "a", "key", " ", "/", "ü", "日本", "😀", "\u{7F}", "\u{2028}", "e\u{301}", "\\\"", "\\\\", "\\/", "\\b", "\\f",
            "\\n", "\\r", "\\t", "\\u0000", "\\u00e9", "\\uABCD", "\\ud83d\\ude00", "{", "]", ",", ":", "'",
        ]
        let count = Int.random(in: 0...5, using: &random)
        return "\"" + (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }.joined() + "\""
    }

    private static func space(using random: inout SeededRandom) -> String {
        random.once(in: 4) ? [" ", "\n", "\t", "\r\n", "  "].randomElement(using: &random) ?? "" : ""
    }
}

/// Changes a few bytes of a text, so that it stays nearly JSON.
enum ByteChanger {
    static func changed(_ bytes: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...3, using: &random) { Self.change(&bytes, using: &random) }
        return bytes
    }

    private static func change(_ bytes: inout [UInt8], using random: inout SeededRandom) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        let other = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0 where place < bytes.count: bytes[place] = random.bytes(count: 1)[0]
        case 1 where place < bytes.count: bytes.remove(at: place)
        case 2: bytes.insert(Array("[]{}:,\"\\0-e t".utf8).randomElement(using: &random) ?? 0, at: place)
        case 3: bytes.insert(contentsOf: bytes[min(place, other)..<max(place, other)].prefix(16), at: place)
        default: bytes.removeSubrange(min(place, other)..<max(place, other))
        }
    }
}
