import ArgumentParser
import Testing

@testable import racctl

@Suite struct CommandWordsTests {
    @Test(
        "The options of every subcommand may stand before it",
        arguments: [
            (["--server", "a:1", "get", "n"], ["get", "--server", "a:1", "n"]),
            (["-s", "a:1", "-o", "json", "get", "n"], ["get", "-s", "a:1", "-o", "json", "n"]),
            (["--server=a:1", "-ojson", "set", "n", "-5"], ["set", "--server=a:1", "-ojson", "n", "--", "-5"]),
            (["--timeout", "3", "bind", "n", "--", "cat"], ["bind", "--timeout", "3", "n", "--", "cat"]),
            (["--help"], ["--help"]),
            (["--server"], ["--server"]),
        ]
    )
    func options(words: [String], arranged: [String]) throws {
        #expect(try CommandWords.arranged(words, subcommands: Racctl.subcommandNames) == arranged)
    }

    @Test(
        "A subcommand that is none is named, with the nearest one",
        arguments: [
            (["lst"], "there is no subcommand 'lst'; did you mean 'list'?"),
            (["help", "gte"], "there is no subcommand 'gte'; did you mean 'get'?"),
            (["-o", "json", "nonsense"], "there is no subcommand 'nonsense'"),
        ]
    )
    func unknown(words: [String], message: String) {
        let error = #expect(throws: ValidationError.self) {
            try CommandWords.arranged(words, subcommands: Racctl.subcommandNames)
        }
        #expect(error?.message == message)
    }

    @Test("Errors are JSON if the words ask for it, wherever they do")
    func json() {
        for words in [["get", "-o", "json"], ["-ojson"], ["get", "--output=json", "a//b"]] {
            #expect(CommandWords.wantsJSON(words))
        }
        for words in [["get", "-o", "text"], ["bind", "a", "--", "jq", "-o", "json"], []] {
            #expect(!CommandWords.wantsJSON(words))
        }
    }
}
