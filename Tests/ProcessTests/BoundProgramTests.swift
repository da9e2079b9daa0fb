import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct BoundProgramTests {
    /// `racctl bind` with a shell script as its program.
    private func bind(_ channel: String, _ script: String, _ daemon: Daemon, _ options: [String] = []) throws -> Program
    {
        try daemon.start(["bind", channel] + options + ["--", "/bin/sh", "-c", script])
    }

    @Test("A program gets the values as lines, and its lines are sent")
    func join() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            let reader = try await daemon.bound("a", "1")
            let bound = try self.bind("a", "while read x; do echo $((x + 1)); done", daemon)
            expect(await reader.output.next() == "2")
            try await daemon.succeed("set", "a", "10")
            expect(await reader.output.next() == "10")
            expect(await reader.output.next() == "11")
            try await daemon.succeed("complete", "a")
            expect(await bound.ended() == Ended(status: 0, output: [], errors: []))
        }
    }

    @Test("All that a program writes before it ends is sent, and then the bind ends with it")
    func nothingLost() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("create", "lamp", "--paired", "--value", "0")
            let reader = try await daemon.bound("lamp", "0")
            let bound = try self.bind("lamp", "seq 1 3000", daemon, ["--leading"])
            expect(await bound.ended() == Ended(status: 0, output: [], errors: []))
            for number in 1...3000 { try #require(await reader.output.next() == "\(number)") }
        }
    }

    @Test("A program that fails is reported with its status")
    func status() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let exited = try await self.bind("a", "echo 7; exit 3", daemon).ended()
            expect(exited == Ended(status: 1, output: [], errors: ["racctl: /bin/sh ended with status 3"]))
            expect(try await daemon.succeed("get", "a") == ["7"])
            let killed = try await self.bind("a", "kill -KILL $$", daemon, ["-o", "json"]).ended()
            expect(killed.status == 1)
            expect(
                killed.errors.first?.contains(#""message":"/bin/sh was ended by signal 9","data":{"status":137}"#)
                    == true
            )
            let missing = try await daemon.run("bind", "a", "--", "no-such-program")
            let message = "racctl: cannot run no-such-program: No such file or directory"
            expect(missing == Ended(status: 1, output: [], errors: [message]))
        }
    }

    @Test(
        "The will of a bind is applied if its program fails or is killed, and dropped if it succeeds or racctl is stopped",
        arguments: ["exit 0", "exit 3", "kill -KILL $$", "echo up >&2; exec sleep 1000"]
    )
    func will(script: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let bound = try self.bind("a", "echo '\"online\"'; \(script)", daemon, ["--will", "\"lost\""])
            let isStopped = script.hasPrefix("echo")
            if isStopped {
                expect(await bound.errors.next() == "up")
                try await daemon.succeed("wait", "a", "online")
                bound.signal(SIGTERM)
            }
            let fails = !isStopped && script != "exit 0"
            expect(await bound.ended().status == (isStopped ? 130 : fails ? 1 : 0))
            // racd applies a will a moment after the end of the connection; of a bye, racctl awaits the end.
            if fails { try await daemon.succeed("wait", "a", "lost", "--timeout", "60") }
            expect(try await daemon.succeed("get", "a") == [fails ? "\"lost\"" : "\"online\""])
        }
    }

    @Test("The will of a bind that has connected again is dropped when racctl is stopped")
    func willBehindLoss() async throws {
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("s"))"
            let daemon = try await workplace.daemon("--listen", socket)
            let bound = try daemon.start("bind", "a", "--will", "\"lost\"", "--server", socket, input: .pipe)
            try await daemon.succeed("set", "a", "1")
            expect(await bound.output.next() == "1")
            await daemon.end(SIGKILL)
            expect(await bound.errors.next()?.hasSuffix("connecting again") == true)
            let again = try await workplace.daemon("--listen", socket)
            expect(await bound.errors.next() == "racctl: connected again")
            try await again.succeed("set", "a", "2")
            expect(await bound.output.next() == "2")
            bound.signal(SIGTERM)
            expect(await bound.ended().status == 130)
            try await again.succeed("wait", "$sys/connections", "<= 1", "--timeout", "60")
            expect(try await again.succeed("get", "a") == ["2"])
        }
    }

    @Test("When the channel fails the program's input ends, and the bind ends with 8")
    func channelFails() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            let bound = try self.bind("a", "cat >&2; echo over >&2", daemon)
            expect(await bound.errors.next() == "1")
            try await daemon.succeed("fail", "a", "--code", "hot", "--message", "too hot")
            let ended = await bound.ended()
            expect(ended.status == 8)
            expect(ended.errors == ["1", "over", "racctl: a ended with the error hot: too hot"])
        }
    }

    @Test("After -n values the program's input ends", arguments: [0, 2])
    func count(count: Int) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            let bound = try self.bind("a", "cat >&2", daemon, ["-n", "\(count)"])
            if count == 2 {
                expect(await bound.errors.next() == "1")
                try await daemon.succeed("set", "a", "2")
            }
            expect(await bound.ended() == Ended(status: 0, output: [], errors: Array(["1", "2"].prefix(count))))
        }
    }

    @Test("A program that will not end is killed with all that it has started", arguments: ["SIGINT", "end", "time"])
    func killed(cause: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let script = "trap '' TERM; sleep 1000 & echo $! >&2; echo $$ >&2; while :; do wait; done"
            let bound = try self.bind("a", script, daemon, cause == "time" ? ["--timeout", "2"] : [])
            let processes = [await bound.errors.next(), await bound.errors.next()].compactMap { $0.flatMap(Int32.init) }
            expect(processes.count == 2)
            if cause == "SIGINT" { bound.signal(SIGINT) }
            if cause == "end" { try await daemon.succeed("complete", "a") }
            expect(await bound.ended().status == ["SIGINT": 130, "end": 0, "time": 7][cause])
            for process in processes {
                // A process without a parent stays a zombie until init has looked after it.
                while kill(process, 0) == 0, try !Self.isZombie(process) { try await Task.sleep(for: .milliseconds(1)) }
            }
        }
    }

    private static func isZombie(_ process: Int32) throws -> Bool {
        guard let status = try? String(contentsOf: URL(filePath: "/proc/\(process)/stat"), encoding: .utf8) else {
            return true
        }
        return status.split(separator: ")").last?.hasPrefix(" Z") == true
    }

    @Test("A program gets no descriptor but its standard files")
    func descriptors() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            // The shell itself has one more open while it looks.
            let script = "for file in /proc/self/fd/*; do echo $file >&2; done"
            let ended = try await self.bind("a", script, daemon).ended()
            expect(ended.status == 0)
            #expect(ended.errors.count { $0.hasPrefix("/proc/self/fd/") } <= 4)
        }
    }

    @Test("A watch runs a program for each change, one at a time, with the channel in its environment")
    func watch() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("txn", "a=[1]", "b=2")
            let script = #"echo "$RAC_CHANNEL $RAC_STATE $(cat) $RAC_ERROR_CODE $RAC_ERROR_MESSAGE $RACD_SERVER""#
            let watch = try daemon.start("watch", "*", "--exec", "/bin/sh", "-c", script)
            expect(await watch.output.next() == "a open [1]   \(daemon.url)")
            expect(await watch.output.next() == "b open 2   \(daemon.url)")
            try await daemon.succeed("fail", "a", "--code", "hot", "--message", "too\nhot")
            expect(await watch.output.next() == "a failed [1] hot too hot \(daemon.url)")
            try await daemon.succeed("delete", "a")
            expect(await watch.output.next() == "a deleted    \(daemon.url)")
            watch.signal(SIGTERM)
            expect(await watch.ended().status == 130)
        }
    }

    @Test("A watch reports a failed program and goes on with the newest of the changes meanwhile")
    func watchGoesOn() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "0")
            let turn = workplace.path("turn")
            // Without the folder there is no turn to wait for: the shell must not outlive the test.
            let script = """
                read x; echo $x; while [ ! -e '\(turn)' ] && [ -d '\(workplace.path(""))' ]; do sleep 0.02; done; \
                [ $x = 0 ] && exit 3; exit 0
                """
            let watch = try daemon.start("watch", "*", "--exec", "/bin/sh", "-c", script)
            expect(await watch.output.next() == "0")
            for value in 1...20 { try await daemon.succeed("set", "a", "\(value)", "--no-sync") }
            try await daemon.succeed("set", "b", "30", "--no-sync")
            try Data().write(to: URL(filePath: turn))
            expect(await watch.errors.next() == "racctl: /bin/sh ended with status 3 for a")
            expect(await watch.output.next() == "20")
            expect(await watch.output.next() == "30")
        }
    }

    @Test("Without what was there a watch begins with changes")
    func noReplay() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "0")
            let watch = try daemon.start("watch", "*", "--no-replay", "-o", "json")
            expect(await watch.output.next() == #"{"event":"synced"}"#)
            try await daemon.succeed("set", "a", "1")
            expect(await watch.output.next()?.hasSuffix(#""state":"open","value":1}"#) == true)
        }
    }

    @Test("A program gets the beginning of an error's message that is too long for its environment")
    func longError() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let error = #"{"code":"hot","message":"\#(String(repeating: "x", count: 200_000))"}"#
            let line = #"{"channel":"a","state":"failed","error":\#(error)}"#
            try Data(line.utf8).write(to: workplace.folder.appending(path: "channels"))
            expect(try await daemon.run("import", workplace.path("channels")).status == 0)
            let script = #"cat > /dev/null; echo "$RAC_CHANNEL ${#RAC_ERROR_MESSAGE}""#
            let ended = try await daemon.run("watch", "*", "-n", "1", "--exec", "/bin/sh", "-c", script)
            expect(ended == Ended(status: 0, output: ["a 4096"], errors: []))
        }
    }

    @Test("A watch reports each program that cannot be started, and goes on")
    func noProgram() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("txn", "a=1", "b=2")
            let ended = try await daemon.run("watch", "*", "-n", "2", "--exec", "no-such-program")
            let reason = "cannot run no-such-program: No such file or directory"
            expect(ended == Ended(status: 0, output: [], errors: ["racctl: a: \(reason)", "racctl: b: \(reason)"]))
        }
    }
}
