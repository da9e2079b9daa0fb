import Expectations
import Foundation
import RacClient
import Testing

@Suite(.timeLimit(.minutes(10))) struct CommandTests {
    /// `racctl provide` with a shell script as its program, once it is hosted.
    private func provide(
        _ command: String,
        _ script: String,
        _ daemon: Daemon,
        _ options: [String] = []
    ) async throws -> Program {
        let provider = try daemon.start(["provide", command] + options + ["--", "/bin/sh", "-c", script])
        let observer = try daemon.start("observe", command)
        while let state = await observer.output.next(), state != "enabled" {}
        observer.signal(SIGTERM)
        expect(await provider.errors.next() == "racctl: hosting \(command)")
        return provider
    }

    @Test("A program's lines are the values of an execution, and its end is the execution's")
    func values() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let provider = try await self.provide(
                "square",
                #"read x; echo $((x * x)); echo two words; echo "$RAC_COMMAND""#,
                daemon
            )
            expect(try await daemon.succeed("exec", "square", "-7") == ["49", "\"two words\"", "\"square\""])
            expect(
                try await daemon.succeed("exec", "square", "3", "-o", "json") == [
                    #"{"command":"square","event":"next","value":9}"#,
                    #"{"command":"square","event":"next","value":"two words"}"#,
                    #"{"command":"square","event":"next","value":"square"}"#,
                    #"{"command":"square","event":"completed"}"#,
                ]
            )
            provider.signal(SIGINT)
            expect(await provider.ended() == Ended(status: 130, output: [], errors: ["racctl: hosting square"]))
            expect(try await daemon.run("exec", "square", "1").status == 3)
        }
    }

    @Test("Commands are listed with their hosts, completed by name, and forgotten")
    func listing() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            expect(try await daemon.succeed("commands") == [])
            let provider = try await self.provide("room/blink", "echo 1", daemon, ["--concurrent"])
            let line = try #require(try await daemon.succeed("commands").first)
            #expect(line.hasPrefix("room/blink  enabled ") && line.contains(" several ") && line.contains(" racctl/"))
            let json = try #require(try await daemon.succeed("commands", "room/*", "-o", "json").first)
            #expect(json.hasPrefix(#"{"command":"room/blink","hosted":true,"enabled":true,"executing":false,"#))
            #expect(json.contains(#""agent":"racctl/"#))
            let status = try await daemon.succeed("status")
            #expect(["  commands     ", "  executions   "].allSatisfy { row in status.contains { $0.hasPrefix(row) } })
            let hosted = try await daemon.run("delete", "--command", "room/blink")
            #expect(hosted.status == 4 && hosted.errors.count == 1)
            provider.signal(SIGINT)
            _ = await provider.ended()
            expect(try await daemon.succeed("commands").first?.hasPrefix("room/blink  unhosted ") == true)
            expect(try await daemon.succeed("delete", "--command", "room/blink") == [])
            expect(try await daemon.succeed("commands") == [])
            expect(try await daemon.run("delete", "--command", "room/blink").status == 3)
        }
    }

    @Test("A line that is no value makes the execution fail, and the other lines are sent")
    func unsent() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            _ = try await self.provide("bad", "printf '1\\n{a\\n2\\n'", daemon)
            let ended = try await daemon.run("exec", "bad")
            #expect(ended.status == 8 && ended.output == ["1", "2"])
            expect(
                ended.errors.first?.contains("a line of /bin/sh was not sent: it looks like JSON but is not") == true
            )
        }
    }

    @Test("A program that fails makes the execution fail with its last words and its status")
    func failure() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let provider = try await self.provide(
                "blink",
                "echo 1; echo one >&2; echo 'the lamp is broken' >&2; exit 3",
                daemon
            )
            let message = "racctl: blink failed: the lamp is broken"
            expect(try await daemon.run("exec", "blink") == Ended(status: 8, output: ["1"], errors: [message]))
            let json = try await daemon.run("exec", "blink", "-o", "json")
            let error = #"{"code":"failed","message":"the lamp is broken","data":{"status":3}}"#
            expect(json.output.last == #"{"command":"blink","event":"error","error":\#(error)}"#)
            expect(await provider.errors.next() == "one")
            expect(await provider.errors.next() == "the lamp is broken")
            expect(try await daemon.run("exec", "dance").status == 3)
            let silent = try await self.provide("silent", "exit 4", daemon)
            let ended = try await daemon.run("exec", "silent")
            expect(ended.errors == ["racctl: silent failed: /bin/sh ended with status 4"])
            expect(try await daemon.run("provide", "silent", "--", "true").status == 4)
            silent.signal(SIGTERM)
        }
    }

    @Test("Last words that are too long are cut, or the end goes without them", arguments: [true, false])
    func longLastWords(fits: Bool) async throws {
        try await Workplace.with { workplace in
            let options = fits ? [] : ["--max-frame", "1024"]
            let racd = try workplace.racd(["--listen", "127.0.0.1:0", "--memory"] + options)
            let daemon = try await Daemon(racd, in: workplace)
            let words = String(repeating: "x", count: fits ? 10_000 : 2000)
            _ = try await self.provide("blink", "echo \(words) >&2; exit 3", daemon)
            let ended = try await daemon.run("exec", "blink", "-o", "json")
            let error =
                fits
                ? #"{"code":"failed","message":"\#(words.prefix(4096))","data":{"status":3}}"#
                : #"{"code":"failed","message":"the message of the error is too long for racd"}"#
            expect(ended.output == [#"{"command":"blink","event":"error","error":\#(error)}"#])
            expect(try await daemon.run("exec", "blink").status == 8)
        }
    }

    @Test("Ctrl-C cancels an execution or ends its host, and its program and what that has started are ended")
    func cancel() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let provider = try await self.provide("slow", "sleep 1000 & echo $!; wait", daemon)
            let execution = try daemon.start("exec", "slow")
            let sleeper = try #require(await execution.output.next().flatMap { Int32($0) })
            expect(try await daemon.run("exec", "slow").status == 4)
            execution.signal(SIGINT)
            let ended = await execution.ended()
            expect(ended.status == 130)
            expect(ended.errors == [])
            try await Self.waitForEnd(of: sleeper)
            // Free again: one runs at a time.
            let next = try daemon.start("exec", "slow")
            let second = try #require(await next.output.next().flatMap { Int32($0) })
            provider.signal(SIGTERM)
            try await Self.waitForEnd(of: second)
            let lost = await next.ended()
            expect(lost.status == 8)
            expect(lost.errors == ["racctl: slow failed with the error host-lost: the host of slow has gone"])
        }
    }

    @Test(
        "An execution that is cancelled amid many values ends once, nothing comes behind that, and its command is free"
    )
    func cancelledFlood() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            _ = try await self.provide("flood", "exec yes", daemon)
            let connection = try await DaemonConnection.open(to: DaemonAddress(daemon.url))
            for _ in 1...2 {
                let call = try await connection.execute(CommandName("flood"))
                var events = call.makeAsyncIterator()
                var values = 0
                while values < 1_000, case .next? = try await events.next() { values += 1 }
                await call.cancel()
                var last = try await events.next()
                while case .next? = last { last = try await events.next() }
                guard case .ended(.failed(let error))? = last else {
                    Issue.record("the end is \(String(describing: last))")
                    return
                }
                // On a busy machine this caller may be too slow before its cancellation has arrived.
                #expect(["cancelled", "slow-consumer"].contains(error.code))
                expect(try await events.next() == nil)
            }
            await connection.close()
        }
    }

    private static func waitForEnd(of process: Int32) async throws {
        while kill(process, 0) == 0, !Self.isZombie(process) { try await Task.sleep(for: .milliseconds(1)) }
    }

    private static func isZombie(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOf: URL(filePath: "/proc/\(process)/stat"), encoding: .utf8) else {
            return true
        }
        return status.split(separator: ")").last?.hasPrefix(" Z") == true
    }

    @Test("Several executions run at once if they may")
    func concurrent() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let gate = workplace.path("gate")
            let script = "echo begun; while [ ! -e '\(gate)' ]; do sleep 0.02; done; read x; echo $x"
            _ = try await self.provide("wait", script, daemon, ["--concurrent"])
            let executions = try (0..<3).map { try daemon.start("exec", "wait", "\($0)") }
            for execution in executions { expect(await execution.output.next() == "\"begun\"") }
            try Data().write(to: URL(filePath: gate))
            for (number, execution) in executions.enumerated() {
                expect(await execution.ended() == Ended(status: 0, output: ["\"begun\"", "\(number)"], errors: []))
            }
        }
    }

    @Test("An observer sees a command's state and its errors")
    func observe() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let observer = try daemon.start("observe", "blink")
            expect(await observer.output.next() == "not enabled")
            let gate = workplace.path("gate")
            let script = "while [ ! -e '\(gate)' ]; do sleep 0.02; done; echo broken >&2; exit 1"
            _ = try await self.provide("blink", script, daemon)
            expect(await observer.output.next() == "enabled")
            let execution = try daemon.start("exec", "blink")
            expect(await observer.output.next() == "executing")
            let json = try daemon.start("observe", "blink", "-o", "json")
            expect(
                await json.output.next() == #"{"command":"blink","event":"state","enabled":false,"executing":true}"#
            )
            try Data().write(to: URL(filePath: gate))
            expect(await observer.output.next() == "failed\tfailed\tbroken")
            expect(await observer.output.next() == "enabled")
            expect(
                await json.output.next()?.hasSuffix(
                    #""error":{"code":"failed","message":"broken","data":{"status":1}}}"#
                ) == true
            )
            expect(await execution.ended().status == 8)
        }
    }

    @Test("A caller with --retry waits for the host of its command, and without it or behind its time exits with 3")
    func missingHost() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let missing = Ended(status: 3, output: [], errors: ["racctl: there is no command square"])
            expect(try await daemon.run("exec", "square", "12") == missing)
            expect(try await daemon.run("exec", "square", "12", "--retry", "0.2") == missing)
            let caller = try daemon.start("exec", "--retry", "600", "square", "12")
            _ = try await self.provide("square", "read x; echo $((x * x))", daemon)
            expect(await caller.ended() == Ended(status: 0, output: ["144"], errors: []))
        }
    }

    @Test("A program that cannot be run is no host")
    func noProgram() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let file = workplace.path("plain")
            try Data("x".utf8).write(to: URL(filePath: file))
            for (program, reason) in [
                (workplace.path("none"), "No such file or directory"), ("no-such-program", "No such file or directory"),
                (file, "Permission denied"), (workplace.folder.path, "Permission denied"),
            ] {
                let errors = ["racctl: cannot run \(program): \(reason)"]
                expect(
                    try await daemon.run("provide", "a", "--", program) == Ended(status: 1, output: [], errors: errors)
                )
            }
            expect(try await daemon.succeed("commands") == [])
        }
    }

    @Test("A provider hosts its command again when the daemon is back")
    func reconnect() async throws {
        try await Workplace.with { workplace in
            let socket = workplace.path("racd.sock")
            let arguments = ["--listen", "127.0.0.1:0", "--listen", "unix:\(socket)", "--memory"]
            let first = try await Daemon(workplace.racd(arguments), in: workplace)
            let provider = try first.start(["provide", "a", "--server", "unix:\(socket)", "--", "echo", "1"])
            expect(await provider.errors.next() == "racctl: hosting a")
            expect(try await first.succeed("exec", "a") == ["1"])
            await first.end(SIGKILL)
            expect(await provider.errors.next()?.hasSuffix("; connecting again") == true)
            let second = try await Daemon(workplace.racd(arguments), in: workplace)
            try await second.waitForHost()
            expect(try await second.succeed("exec", "a") == ["1"])
            provider.signal(SIGINT)
            expect(await provider.ended().status == 130)
        }
    }
}
