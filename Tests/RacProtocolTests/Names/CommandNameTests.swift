import Expectations
import RacProtocol
import Testing

@Suite struct CommandNameTests {
    @Test("A command is called as a channel may be", arguments: ["a", "room/blink", "日本/語", "$sys/stop"])
    func accepted(text: String) throws {
        let name = try CommandName(text)
        expect(name.text == text)
        expect(name.description == text)
        expect(name.isReserved == text.hasPrefix("$"))
    }

    @Test(
        "A name that breaks a rule is refused with a sentence that names the rule and the command",
        arguments: [
            ("", "at least one byte"), ("a//b", "empty segments"), ("a/*", "has no *"), ("\n", "control characters"),
            (String(repeating: "a", count: 256), "at most 255 bytes"),
        ]
    )
    func refused(text: String, rule: String) {
        let error = #expect(throws: NameError.self) { try CommandName(text) }
        expect(error?.description.contains(rule) == true)
        expect(error?.description.hasPrefix("a command's name") == true)
    }

    @Test("Names that look alike but have other bytes are other names")
    func notNormalised() throws {
        #expect(try CommandName("caf\u{E9}") != CommandName("cafe\u{301}"))
        expect(try CommandName("caf\u{E9}") == CommandName("caf\u{E9}"))
    }
}
