import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct WatchTests {
    @Test("A watch prints what there is and then each change, and a pipe's reader gets every line at once")
    func watch() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "room/a", "1")
            try await daemon.succeed("create", "room/b")
            try await daemon.succeed("set", "other", "1")
            let watch = try daemon.start("watch", "room/*")
            expect(await watch.output.next() == "room/a\t1")
            expect(await watch.output.next() == "room/b\topen")
            try await daemon.succeed("set", "room/b", "{\"x\":\n1}")
            expect(await watch.output.next() == "room/b\t{\"x\": 1}")
            try await daemon.succeed("fail", "room/a", "--code", "hot", "--message", "two\nlines")
            expect(await watch.output.next() == "room/a\tfailed\thot\ttwo lines")
            try await daemon.succeed("reopen", "room/a")
            expect(await watch.output.next() == "room/a\t1")
            try await daemon.succeed("complete", "room/a")
            expect(await watch.output.next() == "room/a\tcompleted")
            try await daemon.succeed("delete", "room/a")
            expect(await watch.output.next() == "room/a\tdeleted")
        }
    }

    @Test("With -o json a watch prints an object a line, and an event when all present channels are printed")
    func json() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let watch = try daemon.start("watch", "**", "-o", "json")
            let first = await watch.output.next()
            expect(first?.hasPrefix(#"{"event":"changed","channel":"a","rev":"#) == true)
            expect(first?.hasSuffix(#","state":"open","value":1}"#) == true)
            expect(await watch.output.next() == #"{"event":"synced"}"#)
            try await daemon.succeed("delete", "a")
            expect(await watch.output.next()?.hasSuffix(#","state":"deleted"}"#) == true)
        }
    }

    @Test("A watch prints the wish of a paired channel behind its value")
    func wishes() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("create", "heater", "--paired")
            try await daemon.succeed("set", "heater", "\"on\"")
            let watch = try daemon.start("watch", "**")
            expect(await watch.output.next() == "heater\topen\t\"on\"")
            try await daemon.succeed("set", "heater", "--leading", "false")
            expect(await watch.output.next() == "heater\tfalse\t\"on\"")
            let json = try daemon.start("watch", "**", "-o", "json")
            let line = try #require(await json.output.next())
            #expect(line.contains(#""state":"open","value":false,"wish":"on","wishRev":"#))
        }
    }

    @Test("A list of more channels than racd lists at once is whole")
    func pages() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let names = (0..<1100).map { "n/\(10_000 + $0)" }
            try await Channels.create(names, at: daemon.url)
            let listed = try await daemon.succeed("list", "n/*")
            expect(listed.map { $0.split(separator: " ").first.map(String.init) } == names)
        }
    }

    @Test("A watch that was connected tries again while racd has no room for it, and says so once")
    func limit() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon()
            try await daemon.succeed("set", "a", "1")
            let relay = try Relay(to: daemon)
            let watch = try daemon.start("watch", "a", "--server", relay.url)
            expect(await watch.output.next() == "a\t1")
            await daemon.end(SIGKILL)
            expect(await watch.errors.next()?.hasSuffix("; connecting again") == true)
            let full = try await workplace.daemon("--max-connections", "1")
            let other = try full.start("bind", "b", "--default", "1")
            expect(await other.output.next() == "1")
            relay.lead(to: full)
            expect(
                await watch.errors.next()
                    == "racctl: the daemon takes no more connections: its limit is 1; connecting again"
            )
            other.signal(SIGTERM)
            expect(await watch.errors.next() == "racctl: connected again")
            await full.end()
        }
    }
}
