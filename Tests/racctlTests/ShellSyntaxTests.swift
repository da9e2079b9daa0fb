import ArgumentParser
import Expectations
import Testing

@testable import racctl

@Suite struct ShellSyntaxTests {
    private static let breaks = " \t\n\"'@><=;|&(:"

    @Test(
        "Quotes of the shell are no part of the name",
        arguments: [
            ("\"room/v", "room/v"), ("a\\ b", "a b"), ("'a", "a"), ("'a\\b'", "a\\b"), ("\"a\\\"b\"", "a\"b"),
            ("a\"b c\"d", "ab cd"), ("it\"'\"s", "it's"), ("a\\", "a"), ("'a'\u{301}b", "a\u{301}b"),
        ]
    )
    func unquoted(typed: String, word: String) {
        expect(ShellSyntax.unquoted(typed) == word)
    }

    @Test(
        "bash gets a word that runs nothing, in the quotes that are open",
        arguments: [
            ("", "room/a-b_c.9", "room/a-b_c.9"), ("", "$(rm x)`a`", "\\$\\(rm\\ x\\)\\`a\\`"), ("", "é", "é"),
            ("'ro", "room/it's $x", "room/it'\\''s $x"), ("\"ro", "room/\"$x", "room/\\\"\\$x"),
            ("a\\ ", "a b", "a\\ b"),
            ("dev:", "dev:a:1", "a:1"), ("--output=j", "--output=json", "json"), ("'dev:", "dev:a", "dev:a"),
            ("dev\\:", "dev:a", "dev:a"), ("@a", "@", "@"), ("user@ho", "user@host/x", "@host/x"),
            ("a:u@h", "a:u@host", "@host"), ("u@h:p", "u@h:port", "port"), ("'@a", "@a", "@a"),
            ("\"a", "a!b", "a\"'!'\"b"), ("\"a", "a!", "a\"'!'\"\""), ("\"a", "a\"", "a\\\"\""),
            // A mark, or a letter that takes the next sign to itself, makes one Character of two scalars.
            ("", "\u{D4E};x", "\u{D4E}\\;x"), ("\"", "\u{D4E}$(x)", "\u{D4E}\\$(x)"),
            ("\"", "`\u{301};x`", "\\`\u{301};x\\`"), ("'", "'\u{301};x", "'\\''\u{301};x"),
            ("'\u{301}", "\u{301}'", "\u{301}'\\'''"), ("", "é\u{301}", "é\\\u{301}"),
        ]
    )
    func bash(typed: String, offer: String, written: String) {
        expect(ShellSyntax.bash.written(offer, over: typed, breaks: Self.breaks) == written)
    }

    @Test("A shell whose breaks were changed gets the whole word, and zsh and fish quote by themselves")
    func others() {
        expect(ShellSyntax.bash.written("dev:a", over: "dev:", breaks: " ") == "dev:a")
        expect(ShellSyntax.zsh.written("a b$", over: "", breaks: "") == "a b$")
        expect(ShellSyntax.fish.written("a b$", over: "'a", breaks: "") == "a b$")
    }

    @Test("A shell without a script is wrong usage")
    func asked() throws {
        expect(try ShellSyntax(asked: ["--generate-completion-script", "zsh"]) == .zsh)
        expect(try ShellSyntax(asked: ["--generate-completion-script=fish"]) == .fish)
        expect(try ShellSyntax(asked: ["get"]) == nil)
        #expect(throws: ValidationError.self) { try ShellSyntax(asked: ["--generate-completion-script", "tcsh"]) }
    }

    @Test(
        "The option of the line that names the daemon counts, the last one",
        arguments: [
            (["get"], nil), (["get", "--server", "unix:/a b"], "unix:/a b"),
            (["--server=rac://h:1", "get"], "rac://h:1"),
            (["-s", "h:1", "get", "-sh:2"], "h:2"), (["get", "--server"], nil),
            (["bind", "x", "--", "-s", "1"], nil),
        ] as [([String], String?)]
    )
    func server(words: [String], server: String?) {
        expect(NameSearch.value(of: ["--server", "-s"], in: words) == server)
    }

    @Test("Many names are offered folder by folder, and patterns with them")
    func folders() {
        let many = (0..<200).map { "a/\($0)" } + ["b"]
        expect(NameSearch.offers(many, of: .channels, beginningWith: "") == ["a/", "b"])
        expect(NameSearch.offers(["a/1", "a/2"], of: .channels, beginningWith: "") == ["a/1", "a/2"])
        expect(NameSearch.offers(["a/1", "a/2"], of: .patterns, beginningWith: "") == ["a/1", "a/2", "a/**"])
        expect(NameSearch.offers(["a/1"], of: .assignments, beginningWith: "a/") == ["a/1="])
    }
}
