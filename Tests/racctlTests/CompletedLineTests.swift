import ArgumentParser
import Testing

@testable import racctl

@Suite struct CompletedLineTests {
    @Test(
        "The daemon that a line names is asked, however the shell cuts its URL",
        arguments: [
            (["racctl", "get", ""], nil),
            (["racctl", "get", "--server", "unix:/a b", ""], "unix:/a b"),
            (["racctl", "--server=rac://h:1", "get"], "rac://h:1"),
            (["racctl", "get", "--server", "rac", ":", "//h", ":", "1", "ro"], "rac://h:1"),
            (["racctl", "get", "--server"], nil),
        ] as [([String], String?)]
    )
    func server(words: [String], server: String?) {
        #expect(CompletedLine(words: words, prefix: "", shell: .bash).server == server)
    }

    @Test(
        "A line that says how long to wait is waited for as long",
        arguments: [
            (["racctl", "get", ""], nil), (["racctl", "get", "--timeout", "0.5", ""], .milliseconds(500)),
            (["racctl", "--timeout=60", "get"], .seconds(60)), (["racctl", "get", "--timeout", "-1", ""], nil),
            (["racctl", "get", "--timeout", "soon"], nil),
        ] as [([String], Duration?)]
    )
    func timeout(words: [String], timeout: Duration?) {
        #expect(CompletedLine(words: words, prefix: "", shell: .bash).timeout == timeout)
    }

    @Test(
        "Quotes of the shell are no part of the name",
        arguments: [("\"room/v", "room/v"), ("a\\ b", "a b"), ("'a", "a")]
    )
    func quotes(typed: String, prefix: String) {
        #expect(CompletedLine(words: [], prefix: typed, shell: .bash).prefix == prefix)
    }

    @Test(
        "A name is written so that each shell's script takes it for what it is",
        arguments: [
            (.bash, "room/a-b_c.9", "room/a-b_c.9"), (.bash, "$(rm x)`a`", "\\$\\(rm\\ x\\)\\`a\\`"), (.bash, "é", "é"),
            (.zsh, "dev:1\\", "dev\\:1\\\\"), (.zsh, "a b", "a b"), (.fish, "a b$", "a b$"),
        ] as [(CompletionShell, String, String)]
    )
    func written(shell: CompletionShell, name: String, written: String) {
        #expect(CompletedLine(words: [], prefix: "", shell: shell).written(name) == written)
    }
}
