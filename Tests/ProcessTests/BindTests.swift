import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct BindTests {
    @Test("Two binds and a set see each other's values, and not their own")
    func noEcho() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "room/volume", "0")
            let first = try await daemon.bound("room/volume", "0", input: .pipe)
            let second = try await daemon.bound("room/volume", "0", input: .pipe)
            try await daemon.succeed("set", "room/volume", "1")
            expect(await first.output.next() == "1")
            expect(await second.output.next() == "1")
            first.type("{\"deep\": [2.50]}\n")
            expect(await second.output.next() == "{\"deep\": [2.50]}")
            second.type("Quiet hour\n")
            // Had the first one got its own value, that would be here.
            expect(await first.output.next() == "\"Quiet hour\"")
            try await daemon.succeed("set", "room/volume", "3")
            expect(await first.output.next() == "3")
            expect(await second.output.next() == "3")
            expect(try await daemon.succeed("get", "room/volume") == ["3"])
        }
    }

    @Test("A bind ends with 0 when the channel completes and with 8 and one line when it fails, with the value first")
    func ends() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let following = try await daemon.bound("a", "1")
            let leading = try daemon.start("bind", "a", "--leading")
            try await daemon.succeed("complete", "a")
            expect(await following.ended() == Ended(status: 0, output: ["1"], errors: []))
            expect(await leading.ended().status == 0)
            expect(try await daemon.run("bind", "a") == Ended(status: 0, output: ["1"], errors: []))
            try await daemon.succeed("reopen", "a")
            let bound = try await daemon.bound("a", "1")
            try await daemon.succeed("fail", "a", "--code", "hot", "--message", "too hot", "--data", "{\"c\": 90}")
            let failure = Ended(status: 8, output: ["1"], errors: ["racctl: a ended with the error hot: too hot"])
            expect(await bound.ended() == failure)
            expect(try await daemon.run("bind", "a") == failure)
        }
    }

    @Test("With -o json each value and the end is an object on a line, and errors are too")
    func json() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "[1,\n2]")
            try await daemon.succeed("fail", "a", "--code", "hot", "--message", "")
            let ended = try await daemon.run("bind", "a", "-o", "json")
            expect(ended.status == 8)
            expect(ended.output.count == 2)
            expect(ended.output.first?.hasSuffix(#","value":[1, 2]}"#) == true)
            expect(ended.output.last?.hasSuffix(#","error":{"code":"hot","message":""}}"#) == true)
            expect(ended.errors == [#"{"error":{"code":"hot","message":"a ended with the error hot"}}"#])
        }
    }

    @Test("Options choose what is printed and sent")
    func options() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            expect(try await daemon.succeed("bind", "a", "--default", "-1", "-n", "1") == ["-1"])
            expect(try await daemon.succeed("bind", "a", "--default", "-2", "-n", "1") == ["-1"])
            try await daemon.succeed("set", "a", "7")
            let revision = try #require(try await daemon.succeed("get", "a", "-F", "{rev}").first)
            let bound = try daemon.start("bind", "a", "--since", revision, "-n", "1", "--default", "9")
            let silent = try daemon.start("bind", "a", "--no-replay", "-n", "1")
            let leading = try daemon.start("bind", "a", "--leading", "-n", "1")
            try await daemon.waitForBound("a", 3)
            try await daemon.succeed("set", "a", "8")
            for program in [bound, silent, leading] {
                expect(await program.ended() == Ended(status: 0, output: ["8"], errors: []))
            }
            try await daemon.succeed("bind", "a", "-n", "0", "--string", input: .text("12\n"))
            expect(try await daemon.succeed("get", "a") == ["\"12\""])
        }
    }

    @Test("In a paired channel values cross from side to side only")
    func paired() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("create", "lamp", "--paired", "--value", "\"is off\"")
            let device = try daemon.start("bind", "lamp", "--leading", input: .pipe)
            let first = try await daemon.bound("lamp", "\"is off\"", input: .pipe)
            let second = try await daemon.bound("lamp", "\"is off\"")
            try await daemon.waitForBound("lamp", 3)
            first.type("please on\n")
            expect(await device.output.next() == "\"please on\"")
            device.type("is on\n")
            expect(await first.output.next() == "\"is on\"")
            expect(await second.output.next() == "\"is on\"")
        }
    }

    @Test("All lines of a pipe are sent in their order, and then bind -n 0 ends")
    func pipe() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("create", "lamp", "--paired", "--value", "0")
            let reader = try await daemon.bound("lamp", "0")
            let lines = (1...2000).map { "\($0)" }
            let sent = try await daemon.run(
                "bind",
                "lamp",
                "--leading",
                "-n",
                "0",
                input: .text(lines.joined(separator: "\n") + "\n")
            )
            expect(sent == Ended(status: 0, output: [], errors: []))
            for line in lines { try #require(await reader.output.next() == line) }
        }
    }

    @Test("The end of standard input does not end a bind")
    func endOfInput() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "0")
            let bound = try await daemon.bound("a", "0", input: .text("1\n"))
            let other = try await daemon.bound("a", "1")
            try await daemon.succeed("set", "a", "2")
            expect(await bound.output.next() == "2")
            expect(await other.output.next() == "2")
        }
    }

    @Test("A refused line is reported, and the bind goes on with the value that the channel has")
    func refusedLine() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--max-frame", "1024")
            let version = try #require(try await daemon.succeed("get", "$sys/version").first)
            let refused = try await daemon.run("bind", "$sys/version", "-n", "0", input: .text("1\n"))
            expect(refused.status == 5)
            expect(refused.errors.count == 1)
            let bound = try await daemon.bound("$sys/version", version, "-n", "2", input: .pipe)
            bound.type("1\n")
            expect(await bound.ended().output == [version, version])
            try await daemon.succeed("set", "a", "0")
            let other = try await daemon.bound("a", "0", input: .pipe)
            other.type("\(String(repeating: "x", count: 2000))\n\u{1}\n2\n")
            expect(await other.errors.next()?.hasPrefix("racctl: ") == true)
            expect(try await daemon.succeed("wait", "a", "2") == ["2"])
        }
    }

    @Test("A raw string with a line break stays JSON where it could pass for another line")
    func rawLines() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let forged = #""x\nb\t\"y\"""#
            try await daemon.succeed("txn", "a=\(forged)", "b=\"plain\"")
            expect(try await daemon.succeed("get", "-r", "a") == ["x", "b\t\"y\""])
            let lines = ["a\t\(forged)", "b\tplain"]
            expect(try await daemon.succeed("get", "-r", "a", "b") == lines)
            expect(try await daemon.succeed("watch", "-r", "-n", "2", "*") == lines)
            expect(try await daemon.succeed("get", "-r", "*", "-F", "{name}\\t{value}") == lines)
            expect(try await daemon.succeed("list", "-r").first?.hasSuffix("  \(forged)") == true)
            let reader = "read -r x; printf %s \"$x\" >&2"
            let bind = try await daemon.run("bind", "-r", "-n", "1", "a", "--", "sh", "-c", reader)
            expect(bind.errors == [forged])
        }
    }

    @Test("When nobody reads a bind's output any more it ends quietly, with or without a further value")
    func closedOutput() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let racctl = Program.path(of: "racctl")
            for subcommand in ["bind a", "watch '**'", "bind a -o json"] {
                let script = "'\(racctl)' \(subcommand) --server \(daemon.url) | head -n 1"
                let shell = try workplace.start("/bin/bash", ["-c", "set -o pipefail; \(script)"])
                let ended = await shell.ended()
                expect(ended.status == 0)
                expect(ended.output.count == 1)
                expect(ended.errors == [])
            }
        }
    }
}
