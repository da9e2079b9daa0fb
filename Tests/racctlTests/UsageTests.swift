import ArgumentParser
import Expectations
import Testing

@testable import racctl

/// Command lines that are wrong or ask for help, in this process: ProcessTests starts a few of them.
@Suite struct UsageTests {
    /// Each subcommand as it is used rightly.
    static let subcommands = [
        ["bind", "a"], ["set", "a", "1"], ["get", "a"], ["watch", "a"], ["list"], ["create", "a"], ["complete", "a"],
        ["fail", "a", "--code", "c", "--message", "m"], ["reopen", "a"], ["delete", "a"], ["ping"],
        ["wait", "a", "1"], ["txn", "a=1"], ["export"], ["import"], ["status"], ["who", "a"], ["top"],
        ["bench"], ["link", "a", "b"], ["send", "a"], ["monitor"], ["incr", "a"], ["toggle", "a"], ["exec", "a"],
        ["observe", "a"], ["commands"], ["provide", "a", "--", "true"], ["ui"], ["context", "list"],
    ]

    /// The end of a command line that does no work; nil if it asks for work.
    private func refusal(of words: [String]) async -> (status: Int32, text: String)? {
        var requested = RequestedCommand(words)
        do {
            var command = try await requested.parsed()
            try (command as? any RacctlCommand)?.checkFormat()
            // Help is a command that throws its text.
            if words.last == "--help" { try command.run() }
            return nil
        } catch {
            guard let failure = requested.failure(for: error) else { return (0, Racctl.fullMessage(for: error)) }
            return (failure.status.rawValue, failure.text(as: requested.errorFormat))
        }
    }

    @Test("Every subcommand is tried")
    func complete() {
        expect(Set(Self.subcommands.map { $0[0] }) == Set(Racctl.subcommandNames))
    }

    @Test("A subcommand as it should be used is no wrong usage", arguments: Self.subcommands)
    func right(words: [String]) async {
        #expect(await self.refusal(of: words) == nil)
    }

    @Test(
        "A count may stand in one word with its option",
        arguments: [["ping", "-n1"], ["bind", "a", "-n0"], ["watch", "a", "-n2"], ["top", "-n3"]]
    )
    func joinedCount(words: [String]) async {
        #expect(await self.refusal(of: words) == nil)
    }

    @Test(
        "Wrong usage ends with 2 and one line",
        arguments: Self.subcommands.map { [$0[0], "--nonsense"] + $0.dropFirst() } + [
            [], ["nonsense"], ["get"], ["get", "a//b"], ["set", "a"], ["set", "a", "1", "2"],
            ["set", "a", "--if-rev", "x"],
            ["bind", "a", "-n", "-1"], ["bind", "a", "-n", "x"], ["watch", "a/***"], ["ping", "-n", "0"],
            ["fail", "a", "--code", "c"], ["fail", "a", "--code", "", "--message", "m"],
            ["get", "a", "--timeout", "0"],
            ["wait", "a"], ["wait", "a", "=> 3"], ["wait", "a", "1", "2"], ["txn", "a"], ["txn", "a//b=1"],
            ["txn", "a=1", "a=2"], ["txn", "a=1", "--if-rev", "a=x"],
            ["export", "a/***"], ["top", "-n", "0"], ["top", "--interval", "0"], ["bench", "--seconds", "0"],
            ["who", "a", "b"],
            ["status", "-o", "name"], ["ping", "-o", "value"], ["set", "a", "1", "-o", "value"],
            ["watch", "a", "-n", "0"],
            ["link", "a"], ["link", "a", "a"], ["link", "a", "b//c"], ["exec"], ["exec", "a//b"], ["observe"],
            ["provide", "a"],
            ["get", "a", "-o", "xml"], ["get", "a", "--server", "http://a"],
        ]
    )
    func usage(words: [String]) async throws {
        let refusal = try #require(await self.refusal(of: words))
        expect(refusal.status == 2)
        #expect(refusal.text.hasPrefix("racctl: "))
        #expect(refusal.text.hasSuffix("\n") && refusal.text.count { $0 == "\n" } == 1, "\(refusal.text)")
    }

    @Test(
        "A session has 1 to 64 bytes",
        arguments: [["bind", "a"], ["link", "a", "b"], ["provide", "a", "--", "true"]]
    )
    func session(words: [String]) async throws {
        for name in ["", String(repeating: "é", count: 32) + "s"] {
            let refusal = try #require(await self.refusal(of: [words[0], "--session", name] + words.dropFirst()))
            expect(refusal.status == 2)
            #expect(refusal.text.hasPrefix("racctl: --session must have 1 to 64 bytes"), "\(refusal.text)")
        }
        for name in ["s", String(repeating: "é", count: 32)] {
            #expect(await self.refusal(of: [words[0], "--session", name] + words.dropFirst()) == nil)
        }
    }

    @Test(
        "Unquoted words and patterns are refused with a hint: 2",
        arguments: [
            (["set", "a", "two", "words"], "Words that belong together stand in quotes: 'two words'."),
            (["exec", "a", "now", "and", "then"], "Words that belong together stand in quotes: 'two words'."),
            (["wait", "a", "two", "words"], "Words that belong together stand in quotes: 'two words'."),
            (["watch", "room/a", "room/b"], "A pattern stands in quotes: 'room/*'."),
            (["list", "room/a", "room/b"], "A pattern stands in quotes: 'room/*'."),
            (["top", "room/a", "room/b"], "A pattern stands in quotes: 'room/*'."),
            (["monitor", "room/a", "room/b"], "A pattern stands in quotes: 'room/*'."),
            (["export", "room/a", "room/b"], "A pattern stands in quotes: 'room/*'."),
        ]
    )
    func unquoted(words: [String], help: String) async throws {
        let refusal = try #require(await self.refusal(of: words))
        let hint = " \(help) See racctl \(words[0]) --help\n"
        expect(refusal.status == 2)
        #expect(refusal.text.hasSuffix(hint), "\(refusal.text)")
    }

    @Test("Help and version end with 0")
    func help() async throws {
        for words in [["--version"]] + Self.subcommands.map({ [$0[0], "--help"] }) {
            let refusal = try #require(await self.refusal(of: words), "\(words)")
            expect(refusal.status == 0, "\(words)")
            #expect(!refusal.text.isEmpty, "\(words)")
        }
        let page = Racctl.helpMessage().split(separator: "\n")
        for status in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 130] {
            #expect(page.contains { $0.split(separator: " ").first == "\(status)" })
        }
        expect(await self.refusal(of: ["--version"])?.text.hasPrefix("racctl ") == true)
    }

    @Test("Help fits into 80 columns, and its examples stand as they were written")
    func width() throws {
        let root = Racctl.helpMessage(columns: 80).split(separator: "\n")
        for command in Racctl.configuration.subcommands {
            #expect(root.contains { $0.hasPrefix("  \(command._commandName) ") }, "\(command)")
        }
        for command in [Racctl.self] + Racctl.configuration.subcommands as [any ParsableCommand.Type] {
            let page = Racctl.helpMessage(for: command, columns: 80)
                .split(separator: "\n", omittingEmptySubsequences: false)
            for line in page { #expect(line.count <= 80, "\(command): \(line)") }
            let examples = page.drop { $0 != "EXAMPLES" }.dropFirst().prefix { !$0.isEmpty }
            for line in examples { #expect(line.hasPrefix("  "), "\(command): \(line)") }
        }
    }
}
