import Expectations
import NIOCore
import RacProtocol
import RacTesting
import Testing

@Suite struct JSONStringTests {
    @Test(
        "Escapes stand for their characters",
        arguments: [
            ("", ""), ("plain ü 日 😀", "plain ü 日 😀"), ("\\\"\\\\\\/", "\"\\/"), ("\\b\\f\\n\\r\\t", "\u{8}\u{C}\n\r\t"),
            ("\\u0041\\u00e9\\u00E9", "A\u{E9}\u{E9}"), ("\\u0000", "\u{0}"), ("\\ud83d\\ude00", "😀"),
            ("\\uD83D\\uDE00x", "😀x"), ("\\uffff", "\u{FFFF}"), ("\\ud800\\udc00", "\u{10000}"),
            ("\\udbff\\udfff", "\u{10FFFF}"), ("\\\\u0041", "\\u0041"), ("cafe\\u0301", "cafe\u{301}"),
        ]
    )
    func escapes(inner: String, characters: String) throws {
        let read = try #require(Self.characters(inner))
        expect(Array(read.utf8) == Array(characters.utf8))
    }

    @Test(
        "A string with half a surrogate pair is JSON but no text",
        arguments: ["\\ud800", "\\udc00", "\\ud800x", "\\ud800\\n", "\\ud800\\u0041", "\\udc00\\ud800", "a\\udfff"]
    )
    func loneSurrogates(inner: String) throws {
        #expect(throws: Never.self) { try JSONText("\"\(inner)\"") }
        expect(Self.characters(inner) == nil)
    }

    @Test("Written characters are escaped where they must be, and read back as they were")
    func written() throws {
        expect(JSONText.string("a\"b\\c\n\r\t\u{0}\u{1F}/ü😀\u{7F}").text == #""a\"b\\c\n\r\t\u0000\u001f/ü😀\#u{7F}""#)
        var random = SeededRandom.ofThisRun
        for _ in 0..<500 {
            let scalars = (0..<8).map { _ in Unicode.Scalar(UInt32.random(in: 0...0x250, using: &random)) ?? " " }
            let text = String(String.UnicodeScalarView(scalars))
            let json = JSONText.string(text).text
            expect(SoleValue.fault(in: json) == nil, "\(random.hint)")
            let read = Self.characters(String(json.dropFirst().dropLast()))
            expect(read.map { Array($0.utf8) } == Array(text.utf8), "\(random.hint)")
        }
    }

    private static func characters(_ inner: String) -> String? {
        JSONString.characters(of: ByteBuffer(string: inner))
    }
}
