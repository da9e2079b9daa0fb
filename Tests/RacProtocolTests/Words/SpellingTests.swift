import Expectations
import RacProtocol
import Testing

@Suite struct SpellingTests {
    @Test(
        "A misspelled word finds the known one that is nearest",
        arguments: [
            ("sevre", "serve"), ("lst", "list"), ("bakup", "backup"), ("back", "backup"), ("serve", "serve"),
            ("lost", "list"),
        ]
    )
    func near(word: String, known: String) {
        expect(Spelling.nearest(to: word, among: ["serve", "list", "backup"]) == known)
    }

    @Test("A word that is far from all known ones finds none", arguments: ["", "x", "start", "listening", "servants"])
    func far(word: String) {
        expect(Spelling.nearest(to: word, among: ["serve", "list", "backup"]) == nil)
    }
}
