import ArgumentParser
import Expectations
import RacProtocol
import Testing

@testable import racctl

@Suite struct CommandWordsTests {
    private static func arranged(_ words: [String]) throws(ValidationError) -> [String] {
        try CommandWords.arranged(words, subcommands: Racctl.subcommandNames, options: Racctl.options)
    }

    @Test(
        "The options of every subcommand may stand before it",
        arguments: [
            (["--server", "a:1", "get", "n"], ["get", "--server", "a:1", "n"]),
            (["-s", "a:1", "-o", "json", "get", "n"], ["get", "-s", "a:1", "-o", "json", "n"]),
            (["--server=a:1", "-ojson", "set", "n", "-5"], ["set", "--server=a:1", "-ojson", "n", "--", "-5"]),
            (["--timeout", "3", "bind", "n", "--", "cat"], ["bind", "--timeout", "3", "n", "--", "cat"]),
            (["--once", "-n", "1", "watch", "n"], ["watch", "--once", "-n", "1", "n"]),
            (["--name", "get", "-r", "get", "n"], ["get", "--name", "get", "-r", "n"]),
            (["--string", "set", "n", "5"], ["set", "--string", "n", "5"]),
            (["-F", "{name}", "--for", "2", "monitor"], ["monitor", "-F", "{name}", "--for", "2"]),
            (["wait", "n", "5", "--timeout", "-1"], ["wait", "n", "5", "--timeout", "-1"]),
            (["--help"], ["--help"]),
        ]
    )
    func options(words: [String], arranged: [String]) throws {
        expect(try Self.arranged(words) == arranged)
    }

    @Test(
        "A subcommand that is none is named, with the nearest one",
        arguments: [
            (["lst"], "there is no subcommand 'lst'. Did you mean 'list'?"),
            (["help", "gte"], "there is no subcommand 'gte'. Did you mean 'get'?"),
            (["-o", "json", "nonsense"], "there is no subcommand 'nonsense'"),
            (["--server", "h:1"], "a subcommand is missing"), (["-o", "json"], "a subcommand is missing"),
            (["bind", "b", "--"], "a program is missing behind --"),
            (["watch", "b", "--exec"], "a program is missing behind --exec"),
        ]
    )
    func unknown(words: [String], message: String) {
        let error = #expect(throws: ValidationError.self) {
            try Self.arranged(words)
        }
        expect(error?.message == message)
    }

    @Test(
        "A misspelt option is named, with the nearest one; values and programs are none",
        arguments: [
            (["set", "--hlep"], "--hlep", "--help"), (["set", "-x", "a"], "-x", nil),
            (["set", "a", "--", "-x"], nil, nil), (["get", "--server", "-x", "a"], nil, nil),
            (["watch", "a", "--exec", "--nope"], nil, nil), (["get", "-ojson", "--output=json", "-rh"], nil, nil),
        ] as [([String], String?, String?)]
    )
    func unknownOption(words: [String], word: String?, nearest: String?) {
        let unknown = CommandWords.unknownOption(in: words, Racctl.options)
        expect(unknown?.word == word)
        expect(unknown?.nearest == nearest)
    }

    @Test("The options of a subcommand alone are those that the description of all subcommands has")
    func optionsOfOne() throws {
        let catalog = try #require(CommandCatalog(Racctl._dumpHelp()))
        expect(catalog.subcommands.map(\.name) == Racctl.subcommandNames + ["help"])
        for subcommand in catalog.subcommands {
            expect(Racctl.options(of: subcommand.name) == subcommand.options, "\(subcommand.name)")
        }
        expect(Racctl.options(of: "nonsense") == nil)
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

    @Test("A mark at the beginning of a value is no part of the name before it")
    func assignment() throws {
        let assignment = try Assignment("a=\u{301}b=1")
        expect(assignment.channel.text == "a")
        #expect(assignment.value.unicodeScalars.elementsEqual("\u{301}b=1".unicodeScalars))
        expect(try Assignment("a=").value == "")
    }
}
