import Expectations
import RacProtocol
import Testing

@Suite struct ChannelNameTests {
    @Test(
        "A name is any text in segments that are not empty",
        arguments: [
            "a", "ä", "room/volume", "a b/c d", "$sys/version", "$", "a$", "日本/語", "-", ".", "..",
            "a/./b", "\"\\", "\u{2028}", "\u{FEFF}", "\u{10FFFF}", "e\u{301}", "👩‍👩‍👧",
        ]
    )
    func accepted(text: String) throws {
        expect(try ChannelName(text).text == text)
        expect(try ChannelName(text).description == text)
    }

    @Test(
        "A name that breaks a rule is refused with a sentence that names the rule",
        arguments: [
            ("", "at least one byte"),
            ("/", "empty segments"),
            ("/a", "empty segments"),
            ("a/", "empty segments"),
            ("a//b", "empty segments"),
            ("*", "has no *"),
            ("a/*/b", "has no *"),
            ("a*b", "has no *"),
            ("a\u{0}", "control characters"),
            ("\n", "control characters"),
            ("a\u{1F}b", "control characters"),
            ("\u{7F}", "control characters"),
            ("\u{80}", "control characters"),
            ("a\u{9F}", "control characters"),
            ("a\r\nb", "control characters"),
        ]
    )
    func refused(text: String, rule: String) {
        let error = #expect(throws: NameError.self) { try ChannelName(text) }
        expect(error?.description.contains(rule) == true)
    }

    @Test("A name has up to 255 bytes, not characters")
    func length() throws {
        expect(try ChannelName(String(repeating: "a", count: 255)).text.utf8.count == 255)
        #expect(throws: NameError.self) { try ChannelName(String(repeating: "a", count: 256)) }
        #expect(throws: NameError.self) { try ChannelName(String(repeating: "ü", count: 128)) }
    }

    @Test("Names that look alike but have other bytes are other names")
    func notNormalised() throws {
        let composed = try ChannelName("caf\u{E9}")
        let decomposed = try ChannelName("cafe\u{301}")
        expect(composed.text == decomposed.text)
        #expect(composed != decomposed)
        expect(Set([composed, decomposed]).count == 2)
        expect(try composed == ChannelName("caf\u{E9}"))
        expect(try composed.hashValue == ChannelName("caf\u{E9}").hashValue)
    }

    @Test("Names are in the order of their bytes")
    func order() throws {
        let texts = ["A", "Z/z", "a", "a-b", "a/b", "ab", "b", "caf\u{65}\u{301}", "caf\u{E9}", "日", "😀"]
        let names = try texts.map { try ChannelName($0) }
        expect(names.reversed().sorted().map { Array($0.text.utf8) } == texts.map { Array($0.utf8) })
    }

    @Test("The daemon's own names are those that begin with $")
    func reserved() throws {
        #expect(try ChannelName("$sys/version").isReserved)
        #expect(try ChannelName("$x").isReserved)
        #expect(try !ChannelName("a/$sys").isReserved)
    }
}
