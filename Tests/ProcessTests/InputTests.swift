import Expectations
import Foundation
import Glibc
import RacClient
import Testing

/// Input is sent or reported as unsent, and nothing else becomes a value.
@Suite(.timeLimit(.minutes(10))) struct InputTests {
    /// Runs a line of bash in which `racctl` and its daemon are known.
    private func shell(_ script: String, _ workplace: Workplace, _ daemon: Daemon) async throws -> Ended {
        let racctl = URL(filePath: Program.path(of: "racctl")).deletingLastPathComponent().path
        let environment = ["RACD_SERVER": daemon.url, "PATH": "\(racctl):/usr/bin:/bin"]
        return try await workplace.start("/bin/bash", ["-c", script], environment: environment).ended()
    }

    @Test(
        "Lines for a channel that has completed are counted: 4",
        arguments: ["bind -n 0 done", "send done", "bind done -- printf '1\\n2\\n'"],
        [false, true]
    )
    func unsent(words: String, paired: Bool) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let create = ["create", "done", "--value", "0"] + (paired ? ["--paired"] : [])
            expect(try await daemon.start(create).ended().status == 0)
            try await daemon.succeed("complete", "done")
            let ended = try await self.shell("printf '1\\n2\\n' | racctl \(words)", workplace, daemon)
            expect(ended.status == 4)
            expect(ended.errors == ["racctl: 2 lines were not sent: done has completed"])
        }
    }

    @Test("A bind to a channel that has completed exits with 4, though its input stays open")
    func unsentByOpenInput() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("create", "done")
            try await daemon.succeed("complete", "done")
            let bind = try daemon.start("bind", "done", input: .pipe)
            bind.type("1\n")
            let message = "racctl: 1 line was not sent: done has completed"
            expect(await bind.ended() == Ended(status: 4, output: [], errors: [message]))
        }
    }

    @Test("If a channel completes half way, each line was sent or is counted")
    func halfWay() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("create", "q", "--paired", "--value", "0")
            let reader = try await daemon.bound("q", "0")
            let lines = (1...200).map { "\($0)" }
            let sender = try daemon.start("send", "q", "--leading", input: .pipe)
            sender.type(lines[..<50].joined(separator: "\n") + "\n")
            var arrived = 0
            while arrived < 50, await reader.output.next() != nil { arrived += 1 }
            try await daemon.succeed("complete", "q")
            sender.type(lines[50...].joined(separator: "\n") + "\n")
            sender.endInput()
            expect(
                await sender.ended()
                    == Ended(status: 4, output: [], errors: ["racctl: 150 lines were not sent: q has completed"])
            )
        }
    }

    @Test(
        "A line that racctl does not send is reported with its number and counts in the exit code",
        arguments: [
            (#"printf '1\n\xff\n3\n'"#, 1, "line 2 of standard input was not sent: it is not UTF-8"),
            (
                "(echo 1; head -c 70000000 /dev/zero | tr '\\0' x; echo; echo 3)", 9,
                "line 2 of standard input was not sent: it is too long"
            ),
            (#"printf '1\n{a\n3\n'"#, 1, "line 2 of standard input was not sent: it looks like JSON but is not"),
        ],
        ["send a", "bind -n 0 a"]
    )
    func refused(lines: (String, Int32, String), words: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let ended = try await self.shell("\(lines.0) | racctl \(words)", workplace, daemon)
            expect(ended.status == lines.1)
            expect(ended.errors.count == 1)
            expect(ended.errors.first?.hasPrefix("racctl: \(lines.2)") == true)
            expect(try await daemon.succeed("get", "a") == ["3"])
        }
    }

    @Test("Empty lines are skipped with one warning, and sent with --string; a line may end with CR LF")
    func empty() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let ended = try await self.shell(#"printf 'abc\r\n\n\r\n' | racctl send a"#, workplace, daemon)
            let warning =
                "racctl: line 2 of standard input was not sent: it is empty, and empty lines are not sent without --string"
            expect(ended == Ended(status: 0, output: [], errors: [warning]))
            expect(try await daemon.succeed("get", "a") == ["\"abc\""])
            try await daemon.succeed("send", "a", "--string", input: .text("\n"))
            expect(try await daemon.succeed("get", "a") == ["\"\""])
        }
    }

    @Test("At a terminal bind says of an empty line that it is not sent, and goes on")
    func emptyAtTerminal() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let bind = "'\(Program.path(of: "racctl"))' bind a --server \(daemon.url); echo status $?"
            let arguments = ["SHELL=/bin/sh", "script", "-q", "-e", "-c", bind, "/dev/null"]
            let terminal = try workplace.start("/usr/bin/env", arguments, input: .pipe)
            terminal.type("\n5\n")
            expect(try await daemon.succeed("wait", "a", "5") == ["5"])
            terminal.type("\u{4}")
            let lines = await terminal.ended().output
            expect(lines.count { $0.contains("line 1 of standard input was not sent: it is empty") } == 1, "\(lines)")
            #expect(lines.contains { $0.contains("status 0") }, "\(lines)")
        }
    }

    @Test("A bind that has shown its values awaits the answers to its lines over the next connection, too")
    func answersBehindLoss() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("create", "a", "--paired", "--value", "0")
            let relay = try Relay(to: daemon, losing: #"{"op":"ack""#)
            let bind = try daemon.start("bind", "a", "-n", "2", "--server", relay.url, input: .pipe)
            expect(await bind.output.next() == "0")
            bind.type("1\n")
            try await daemon.wait { try await $0.get(ChannelName("a")).wish?.text == "1" }
            try await daemon.succeed("set", "a", "2", "--leading")
            expect(await bind.output.next() == "2")
            await daemon.end(SIGKILL)
            relay.lead(to: try await workplace.daemon())
            let ended = await bind.ended()
            expect(ended.status == 0)
            expect(ended.errors.last == "racctl: connected again")
        }
    }

    @Test("A bind whose time is over counts the lines that wait for a racd which is away: 7")
    func waitingLines() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "0")
            let bind = try daemon.start("bind", "a", "--for", "6", input: .pipe)
            expect(await bind.output.next() == "0")
            await daemon.end(SIGKILL)
            expect(await bind.errors.next()?.hasSuffix("connecting again") == true)
            bind.type("1\n2\n3\n")
            let ended = await bind.ended()
            expect(ended.status == 7)
            expect(ended.errors.last == "racctl: 3 lines have no answer")
        }
    }

    @Test("A send whose time is over says how many lines have no answer: 7")
    func timeIsOver() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            for (word, lines) in [("send", ["1", "2", "3"]), ("bind", ["4"])] {
                // The welcome and the answer to the bind come, and no acknowledgement.
                let relay = try Relay(to: daemon, frames: 2)
                let words = [word, "a", "--leading", "--server", relay.url, "--timeout", "5"]
                let program = try daemon.start(words, input: .text(lines.map { "\($0)\n" }.joined()))
                let ended = await program.ended()
                expect(ended.status == 7)
                let count = lines.count == 1 ? "1 line has" : "\(lines.count) lines have"
                expect(ended.errors == ["racctl: timed out after 5 s: \(count) no answer"])
            }
        }
    }

    @Test(
        "An input that is empty or cannot be read sets nothing: 1",
        arguments: [
            "false | racctl set a -", "racctl set a - <&-", "racctl set a - < /", "racctl set a @/",
            "racctl send a < /",
            "racctl bind -n 0 a < /", "racctl txn < /", "racctl import /", "racctl set a @/dev/null",
        ]
    )
    func unreadable(script: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "7")
            let ended = try await self.shell(script, workplace, daemon)
            expect(ended.status == 1, "\(ended)")
            expect(ended.errors.count == 1)
            expect(try await daemon.succeed("get", "a") == ["7"])
        }
    }

    @Test(
        "A misspelt key is refused with its line, and nothing is set: 1",
        arguments: [
            ("txn", #"{"channel":"pay","value":1,"iff":99}"#, "iff"),
            ("import", #"{"channel":"imp","vaule":3}"#, "vaule"),
        ]
    )
    func misspelt(subcommand: String, line: String, key: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let ended = try await daemon.run(subcommand, input: .text("\n\(line)\n"))
            expect(ended.status == 1)
            expect(ended.errors.first?.hasPrefix("racctl: line 2: there is no key \"\(key)\"") == true)
            expect(try await daemon.succeed("list") == [])
        }
    }

    @Test("A file stands for a value wherever one is taken, and an empty value is refused")
    func files() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let file = "@\(workplace.path("value"))"
            try Data("[7]\n".utf8).write(to: workplace.folder.appending(path: "value"))
            try await daemon.succeed("create", "a", "--value", file)
            try await daemon.succeed("txn", "b=\(file)", "c=-", input: .text("[7]"))
            try await daemon.succeed("bind", "d", "--default", file, "-n", "0")
            try await daemon.succeed("create", "e")
            try await daemon.succeed("fail", "e", "--code", "x", "--message", "m", "--data", file)
            expect(
                try await daemon.succeed("get", "a", "b", "c", "d", "-o", "value") == Array(repeating: "[7]", count: 4)
            )
            expect(try await daemon.succeed("get", "e", "-o", "json").first?.contains(#""data":[7]"#) == true)
            for words in [["set", "a", ""], ["txn", "a="], ["create", "f", "--value", ""], ["set", "a", "@"]] {
                expect(try await daemon.start(words).ended().status == 2, "\(words)")
            }
            let deep = String(repeating: "[", count: 200) + String(repeating: "]", count: 200)
            let ended = try await daemon.run("set", "a", deep)
            expect(
                ended
                    == Ended(status: 9, output: [], errors: ["racctl: the value is nested too deep: at most 63 levels"])
            )
            try await daemon.succeed("set", "a", "", "--string")
            expect(try await daemon.succeed("get", "a") == ["\"\""])
        }
    }

    @Test("A non-blocking pipe loses no line")
    func nonBlocking() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let script = """
                import os, subprocess, sys, time
                reading, writing = os.pipe()
                os.set_blocking(reading, False)
                racctl = subprocess.Popen(["racctl", "send", "a"], stdin=reading)
                for number in range(50):
                    os.write(writing, b"%d\\n" % number)
                    if number % 10 == 0: time.sleep(0.01)
                os.close(writing)
                sys.exit(racctl.wait())
                """
            try Data(script.utf8).write(to: workplace.folder.appending(path: "script.py"))
            let ended = try await self.shell("python3 '\(workplace.path("script.py"))'", workplace, daemon)
            expect(ended == Ended(status: 0, output: [], errors: []))
            expect(try await daemon.succeed("get", "a") == ["49"])
        }
    }

    @Test(
        "A text that was hardly meant as a value is refused where it is typed: 2",
        arguments: [
            #"racctl set a '{"on": true,}'"#,
            #"racctl set a $'bad\xff'"#, #"racctl set $'bad\xff' 1"#, "racctl set a --json on",
            #"racctl create b --value '[1,'"#, #"racctl txn a='{'"#, "racctl wait a '.temp > 20 && .s == \"b\"'",
            "racctl wait a '.temp == 21.5 or .temp == 3'", "racctl wait a 'temp > 20'",
        ]
    )
    func typed(script: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let ended = try await self.shell(script, workplace, daemon)
            expect(ended.status == 2, "\(ended)")
            expect(ended.errors.count == 1)
            expect(try await daemon.succeed("list") == [])
        }
    }

    @Test("Output that goes nowhere is reported: 1", arguments: ["--help", "--version", "help bind", "get a"])
    func output(words: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "7")
            for target in ["> /dev/full", ">&-"] {
                let ended = try await self.shell("racctl \(words) \(target)", workplace, daemon)
                expect(ended.status == 1, "\(target): \(ended)")
                expect(ended.errors.count == 1, "\(target): \(ended)")
            }
        }
    }

    @Test(
        "A terminal that is closed ends the program that a command runs",
        arguments: ["bind a", "provide a", "watch a --exec"]
    )
    func hangUp(words: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "7")
            let note = workplace.path("pid")
            let script = "echo $$ > '\(note)'; exec sleep 1000"
            let separator = words.hasSuffix("--exec") ? [] : ["--"]
            let program = try daemon.start(
                words.split(separator: " ").map(String.init) + separator + ["sh", "-c", script]
            )
            if words.hasPrefix("provide") {
                try await daemon.waitForHost()
                _ = try daemon.start("exec", "a")
            }
            while (try? String(contentsOfFile: note, encoding: .utf8))?.hasSuffix("\n") != true {
                try await Task.sleep(for: .milliseconds(10))
            }
            let process = try #require(Int32(String(contentsOfFile: note, encoding: .utf8).dropLast()))
            program.signal(SIGHUP)
            expect(await program.ended().status == 130)
            expect(kill(process, 0) == -1)
        }
    }
}
