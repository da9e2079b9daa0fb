import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacClient

@Suite("Plain values")
struct PlainValueTests {
    /// The result of one way for a text or a value, to compare with the other way.
    private static func outcome<Value>(_ body: () throws(ClientError) -> Value) -> [UInt8] {
        do throws(ClientError) {
            return Array("value \(String(reflecting: try body()))".utf8)
        } catch {
            return Array("error \(error.code) \(error.message)".utf8)
        }
    }

    private static func differs<Value: Codable & Sendable>(_ type: Value.Type, _ text: JSONText) -> String? {
        let (plain, foundation) = (ValueCoding<Value>.codable(.standard), ValueCoding<Value>.foundation(.standard))
        let expected = Self.outcome { () throws(ClientError) in try foundation.decode(text) }
        let ways = [
            Self.outcome { () throws(ClientError) in try plain.decode(text) },
            Self.outcome { () throws(ClientError) in try text.decoded(as: type) },
        ]
        guard let wrong = ways.first(where: { $0 != expected }) else { return nil }
        return "\(text) as \(type): \(String(decoding: wrong, as: UTF8.self)), "
            + "not \(String(decoding: expected, as: UTF8.self))"
    }

    private static func differs<Value: Codable & Sendable>(_ value: Value) -> String? {
        let (plain, foundation) = (ValueCoding<Value>.codable(.standard), ValueCoding<Value>.foundation(.standard))
        let expected = Self.outcome { () throws(ClientError) in try foundation.encode(value).text }
        let ways = [
            Self.outcome { () throws(ClientError) in try plain.encode(value).text },
            Self.outcome { () throws(ClientError) in try JSONText(encoding: value).text },
        ]
        guard let wrong = ways.first(where: { $0 != expected }) else { return nil }
        return "\(String(reflecting: value)): \(String(decoding: wrong, as: UTF8.self)), "
            + "not \(String(decoding: expected, as: UTF8.self))"
    }

    private static let types: [any (Codable & Sendable).Type] = [
        Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
        UInt32.self, UInt64.self, Double.self, String.self, Bool?.self, Int?.self, Double?.self, String?.self,
        Int??.self, [Int].self, [Double].self, [String].self, [Bool].self, [UInt8].self, [Int?].self, [String?].self,
        [Double]?.self, [[Double]].self, [Int]??.self, [[Int?]?].self, Float.self, [String: Int].self,
    ]

    private static func differences(_ text: String) throws -> [String] {
        let text = try JSONText(text)
        return Self.types.compactMap { Self.differs($0, text) }
    }

    @Test(
        "read texts of every kind as Foundation does",
        arguments: [
            "0", "-0", "5", "-5", "5.0", "1.0", "1e2", "1E2", "1e+2", "1e-2", "100e-2", "0.1", "0.5", "-0.0", "0e0",
            "-0e5",
            "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536", "2147483647", "2147483648",
            "-2147483648", "4294967295", "4294967296", "9007199254740991", "9007199254740993", "9223372036854775807",
            "9223372036854775808", "-9223372036854775808", "-9223372036854775809", "18446744073709551615",
            "18446744073709551616", "123456789012345678901234567890", "9007199254740993.0", "9223372036854775807.0",
            "1e18", "1e19", "1e22", "1e23", "1e308", "1e309", "-1e400", "1.7976931348623157e308",
            "1.7976931348623159e308",
            "5e-324", "2e-324", "4.9e-324", "2.2250738585072014e-308", "2.2250738585072011e-308", "1e-400",
            "0.00000000000000000000000000000000000001", "0.1234567890123456789012345", "1e99999999999999999999",
            "1e-99999999999999999999", "0e99999999999999999999", "1000000000000000000000000e-24",
            "3.0000000000000000000000",
            "true", "false", "null", #""""#, #""a""#, #""true""#, #""1""#, #""ü 🙂 e\u0301""#, #""\n\r\t\b\f\/\\\"""#,
            #""\u0000""#, #""\u00e9\u20ac""#, #""\ud83d\ude42""#, #""\uD83D\uDE42x""#, #""\ud83d""#, #""\ude42""#,
            #""\ud83d\n""#, #""\ud83dx""#, #""\ud83d\u0041""#, #""\ude42\ud83d""#, "\"\u{FEFF}a\"", #""\ufeffa""#,
            "\"\u{2028}\u{7F}\"", #""a fairly long text with one escape at its end\n""#,
            "[]", "[ ]", "[1]", "[1,2,3]", "[ 1 , 2.5 ,\n3e1 ]", "[1,null,2]", "[null]", "[true,false]",
            "[[1],[2,3],[]]",
            "[[1,null],null]", #"["a","b\n",null]"#, #"[1,"a"]"#, "[1,300,-1]", "[1e400]", "{}", #"{"a":1}"#,
            #"{"a":null}"#,
        ]
    )
    func reading(text: String) throws {
        let differences = try Self.differences(text)
        expect(differences == [])
    }

    @Test("read random texts as Foundation does")
    func readingAtRandom() throws {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(400) {
            let text = RandomJSON.value(depth: 2, &random)
            let differences = try Self.differences(text)
            expect(differences == [], "\(random.hint)")
        }
    }

    @Test("read random doubles exactly")
    func doublesAtRandom() throws {
        var random = SeededRandom.ofThisRun
        for _ in TestEffort.rounds(6_000) {
            let text = try JSONText(RandomJSON.number(&random))
            expect(Self.differs(Double.self, text) == nil, "\(random.hint)")
        }
    }

    @Test("write values with the bytes of Foundation")
    func writing() {
        var random = SeededRandom.ofThisRun
        expect(Self.writtenByHand.compactMap { Self.differs($0) } == [])
        for _ in 0..<3000 {
            let number = Double(bitPattern: random.next())
            let whole = Int(truncatingIfNeeded: random.next() >> UInt64.random(in: 0..<64, using: &random))
            let text = RandomJSON.characters(&random)
            let values: [any Codable & Sendable] = [
                number, Double(whole), Double(whole % 1000) / 8, whole, UInt64(truncatingIfNeeded: whole), text,
                [number, 1], [text, nil], Optional(whole), [whole], Int8(truncatingIfNeeded: whole),
            ]
            expect(values.compactMap { Self.differs($0) } == [], "\(random.hint)")
        }
    }

    private static let writtenByHand: [any Codable & Sendable] = [
        true, false, 0, -1, Int.max, Int.min, UInt64.max, Int8.min, 0.1, 5.0, -0.0, 0.0, 1e22, 1e16, 1e15,
        123456789012345680.0,
        1e-5, 1e-4, Double.leastNonzeroMagnitude, Double.greatestFiniteMagnitude, Double.infinity, -Double.infinity,
        Double.nan, 1.0 / 3,
        "", "a", "a/b", "\"\\\u{8}\u{C}\n\r\t\u{0}\u{1}\u{1F}\u{7F}\u{2028}ü🙂", "e\u{301}", "\u{FEFF}a",
        Int?.none, Int?.some(5), Int??.some(nil), Double?.some(.nan), [Int](), [1, nil], [[1.0], []], [Double.infinity],
        ["a/b", "\n"], [[Int]?.none, [2]], Float(0.1), ["a": 1],
    ]

    @Test("come back from what they were written as")
    func roundTrip() throws {
        var random = SeededRandom.ofThisRun
        for _ in 0..<3000 {
            let number = Double(bitPattern: random.next())
            guard number.isFinite else { continue }
            let text = RandomJSON.characters(&random)
            expect(
                try ValueCoding.codable(.standard).decode(ValueCoding.codable(.standard).encode(number)) == number,
                "\(random.hint)"
            )
            expect(
                try ValueCoding.codable(.standard).decode(ValueCoding.codable(.standard).encode([text])) == [text],
                "\(random.hint)"
            )
        }
    }
}

/// Random JSON texts and the characters for their strings.
private enum RandomJSON {
    private static let scalars: [Unicode.Scalar] = [
        "a", "z", " ", "/", "\"", "\\", "\n", "\t", "\u{0}", "\u{1F}", "é", "€", "🙂", "\u{301}", "\u{2028}", "\u{FFFF}",
    ]

    static func characters(_ random: inout SeededRandom) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0..<12, using: &random) {
            text.append(Self.scalars.randomElement(using: &random) ?? "a")
        }
        return String(text)
    }

    static func value(depth: Int, _ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return ["true", "false", "null"].randomElement(using: &random) ?? "null"
        case 1...3: return Self.number(&random)
        case 4, 5: return Self.string(&random)
        default:
            // Members are mostly alike, or hardly an array would be of one type.
            let isMixed = random.once(in: 3)
            let first = Self.value(depth: depth - 1, &random)
            let isNumber = first.first.map { $0 == "-" || $0.isNumber } ?? false
            let rest = (0..<Int.random(in: 0..<4, using: &random)).map { _ in
                if random.once(in: 8) { return "null" }
                if isMixed { return Self.value(depth: depth - 1, &random) }
                return isNumber ? Self.number(&random) : first
            }
            return "[" + ([first] + rest).joined(separator: random.once(in: 2) ? "," : " ,\t") + "]"
        }
    }

    static func number(_ random: inout SeededRandom) -> String {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return "\(Int.random(in: -300...300, using: &random))"
        case 1: return "\(Int(truncatingIfNeeded: random.next()))"
        case 2:
            let number = Double(bitPattern: random.next())
            return number.isFinite ? "\(number)" : "1e999"
        default:
            let digits = Self.digits(1...22, &random)
            var text = (random.once(in: 2) ? "-" : "") + (digits.first == "0" ? "0" : digits)
            if random.once(in: 2) { text += "." + Self.digits(1...22, &random) }
            if random.once(in: 2) {
                text += ["e", "E", "e-", "E+"].randomElement(using: &random) ?? "e"
                text += Self.digits(1...3, &random)
            }
            return text
        }
    }

    private static func digits(_ count: ClosedRange<Int>, _ random: inout SeededRandom) -> String {
        let count = Int.random(in: count, using: &random)
        return (0..<count).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
    }

    private static func string(_ random: inout SeededRandom) -> String {
        let pieces = (0..<Int.random(in: 0..<6, using: &random)).map { _ in
            ["a", "é", "🙂", "\\n", "\\/", "\\\"", "\\\\", "\\u0041", "\\u00e9", "\\ud83d\\ude42", "\\ud83d", "\\ude42"]
                .randomElement(using: &random) ?? "a"
        }
        return "\"" + pieces.joined() + "\""
    }
}
