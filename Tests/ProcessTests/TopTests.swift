import Expectations
import Glibc
import RacClient
import Testing

@Suite(.timeLimit(.minutes(10))) struct TopTests {
    @Test("The table shows which channels change, in 80 columns")
    func table() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let long = String(repeating: "long/", count: 20) + "name"
            try await daemon.succeed("txn", "a=1", "\(long)=\"\(String(repeating: "x", count: 200))\"", "z=3")
            try await daemon.succeed("fail", "z", "--code", "hot", "--message", "")
            let bound = try await daemon.bound("a", "1", input: .pipe)
            let top = try daemon.start("top", "-n", "2", "--interval", "0.5")
            for number in 0..<100 { bound.type("\(number)\n") }
            let ended = await top.ended()
            expect(ended.status == 0)
            #expect(ended.output.allSatisfy { $0.count <= 80 })
            expect(ended.output.count { $0.hasPrefix("CHANNEL ") } == 2)
            #expect(ended.output.contains { $0.hasPrefix("a ") })
            #expect(ended.output.contains { $0.hasSuffix("  failed: hot") })
            let json = try #require(
                try await daemon.succeed("top", "z", "-n", "1", "--interval", "0.1", "-o", "json").first
            )
            #expect(json.contains(#""top":[{"channel":"z","changes":2,"rate":0.0,"bound":0,"slow":0,"state":"failed""#))
        }
    }

    @Test("On a terminal the table is live, and q puts the terminal back")
    func live() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            let terminal = try self.live(daemon, "", in: workplace)
            while let line = await terminal.output.next(), !line.hasPrefix("a ") {}
            terminal.type("q")
            let ended = await terminal.ended()
            #expect(ended.output.contains { $0.contains("status 0") })
            #expect(ended.output.contains { $0.contains("\u{1B}[?1049l") })
            #expect(ended.output.contains { $0.contains(" icanon ") })
        }
    }

    @Test("A paused table keeps its values, whatever comes, until it goes on")
    func paused() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "\"before\"")
            let terminal = try self.live(daemon, "", in: workplace)
            while let line = await terminal.output.next(), !(line.hasPrefix("a ") && line.contains("before")) {}
            terminal.type("p")
            while let line = await terminal.output.next(), !line.contains("PAUSED") {}
            try await daemon.succeed("set", "a", "\"after\"")
            // A table that is drawn by now was asked for behind the change.
            var tables = 0
            while tables < 3, let line = await terminal.output.next() {
                guard line.hasPrefix("a ") else { continue }
                tables += 1
                #expect(line.contains("before") && !line.contains("after"))
            }
            terminal.type("s")
            while let line = await terminal.output.next(), !line.contains("sort (bound)") {
                #expect(!line.contains("after"))
            }
            terminal.type("p")
            while let line = await terminal.output.next(), !(line.hasPrefix("a ") && line.contains("after")) {}
            terminal.type("q")
            #expect(await terminal.ended().output.contains { $0.contains("status 0") })
        }
    }

    /// A live table in a terminal of its own, and the shell's commands behind it, which Ctrl-C does not end.
    private func live(_ daemon: Daemon, _ arguments: String, in workplace: Workplace) throws -> Program {
        let table = "'\(Program.path(of: "racctl"))' top --interval 0.1 --server \(daemon.url) \(arguments)"
        let commands = "trap : INT; \(table); echo status $?; stty -a"
        return try workplace.start(
            "/usr/bin/env",
            ["SHELL=/bin/sh", "script", "-q", "-e", "-c", commands, "/dev/null"],
            input: .pipe
        )
    }

    @Test("The terminal is restored, however the live table ends", arguments: ["\u{3}", "--for 0.5", "--timeout 0.5"])
    func restored(end: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            let terminal = try self.live(daemon, end.hasPrefix("--") ? end : "", in: workplace)
            while let line = await terminal.output.next(), !line.hasPrefix("a ") {}
            if !end.hasPrefix("--") { terminal.type(end) }
            let ended = await terminal.ended()
            #expect(ended.output.contains { $0.contains("\u{1B}[?1049l") })
            #expect(ended.output.contains { $0.contains(" icanon ") })
        }
    }

    @Test("The live table connects again by itself, and with --once it ends with 6", arguments: [true, false])
    func lost(once: Bool) async throws {
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("s"))"
            let daemon = try await workplace.daemon("--listen", socket)
            try await daemon.succeed("set", "a", "1")
            let terminal = try self.live(daemon, "--server \(socket)\(once ? " --once" : "")", in: workplace)
            while let line = await terminal.output.next(), !line.hasPrefix("a ") {}
            await daemon.end(SIGKILL)
            if !once {
                let again = try await workplace.daemon("--listen", socket)
                try await again.succeed("set", "again", "1")
                var wasTold = false
                while let line = await terminal.output.next(), !line.hasPrefix("again ") {
                    wasTold = wasTold || line.contains("Connecting again: lost the connection")
                }
                #expect(wasTold)
                terminal.type("q")
            }
            let ended = await terminal.ended()
            #expect(ended.output.contains { $0.contains("status \(once ? 6 : 0)") })
            #expect(ended.output.contains { $0.contains(" icanon ") })
        }
    }

    @Test("A benchmark prints its figures and leaves nothing behind")
    func bench() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            expect(try await daemon.succeed("bench", "--seconds", "0.05").count == 4)
            let json = try #require(try await daemon.succeed("bench", "--seconds", "0.05", "-o", "json").first)
            for member in ["roundTripMs", "setsPerSecond", "syncedSetsPerSecond", "deliveriesPerSecond"] {
                #expect(json.contains("\"\(member)\":"))
            }
            let stopped = try daemon.start("bench", "--seconds", "30")
            try await daemon.wait { try await !$0.list(List()).channels.isEmpty }
            stopped.signal(SIGINT)
            expect(await stopped.ended().status == 130)
            expect(try await daemon.succeed("list") == [])
        }
    }
}
