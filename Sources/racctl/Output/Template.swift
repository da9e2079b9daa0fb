import Glibc
import RacConnection
import RacProtocol

/// A line with places for the members of a record: `{time} {name} {value}`.
struct Template: Sendable, Equatable {
    private enum Part: Equatable {
        case text(String)
        case member(String)
    }

    /// The keys that a place may name; some commands leave some of them empty.
    static let keys = [
        "name", "value", "rev", "time", "state", "mode", "wish", "wishRev", "cause", "by", "bound", "event",
        "code", "message",
    ]

    private let parts: [Part]

    /// - Throws: ``ExpressionError`` if a place names no key or has no end.
    init(_ text: String) throws(ExpressionError) {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let character = rest.popFirst() {
            switch character {
            case "\\": literal.append(try Self.escape(&rest))
            case "{":
                if !literal.isEmpty { parts.append(.text(literal)) }
                literal = ""
                parts.append(.member(try Self.key(&rest)))
            default: literal.append(character)
            }
        }
        if !literal.isEmpty { parts.append(.text(literal)) }
        self.parts = parts
    }

    private static func escape(_ rest: inout Substring) throws(ExpressionError) -> Character {
        switch rest.popFirst() {
        case "t": return "\t"
        case "n": return "\n"
        case let character?: return character
        case nil: throw ExpressionError(description: "nothing follows the last \\")
        }
    }

    private static func key(_ rest: inout Substring) throws(ExpressionError) -> String {
        guard let end = rest.firstIndex(of: "}") else {
            throw ExpressionError(description: "a place has no end: write {name}, or \\{ for the character")
        }
        let key = String(rest[..<end])
        rest = rest[rest.index(after: end)...]
        guard Self.keys.contains(key) else {
            throw ExpressionError(description: "there is no {\(key)}: there are \(Self.keys.joined(separator: ", "))")
        }
        return key
    }

    /// The line for a record; what the record does not have is left out.
    func filled(with record: Record, _ format: ResultFormat) -> String {
        self.parts.map { part in
            switch part {
            case .text(let text): text
            case .member(let key): Self.text(key, of: record, format)
            }
        }
        .joined()
    }

    private static func text(_ key: String, of record: Record, _ format: ResultFormat) -> String {
        switch key {
        case "name": record.name?.characters ?? ""
        case "time": WallClock.text(milliseconds: record["at"].flatMap { Int64($0.text) } ?? WallClock.now)
        case "value", "wish": record[key].map(format.text) ?? ""
        default: record[key].map { ($0.characters ?? $0.text).onOneLine } ?? ""
        }
    }
}

/// The time of day, which results show to people.
enum WallClock {
    /// Milliseconds since 1970.
    static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
    }

    /// A time in UTC: `2026-11-23T09:41:00.250Z`.
    static func text(milliseconds: Int64) -> String {
        var seconds = time_t(milliseconds / 1000)
        var parts = tm()
        gmtime_r(&seconds, &parts)
        let numbers = [parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec].map { number in
            number < 10 ? "0\(number)" : "\(number)"
        }
        let fraction = "\(1000 + milliseconds % 1000)".dropFirst()
        return
            "\(parts.tm_year + 1900)-\(numbers[0])-\(numbers[1])T\(numbers[2...].joined(separator: ":")).\(fraction)Z"
    }
}
