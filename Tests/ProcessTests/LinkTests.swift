import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct LinkTests {
    private static let linked = "racctl: linked"

    /// Waits until a channel has a value.
    private func wait(for channel: String, _ value: String, at daemon: Daemon) async throws {
        let ended = try await daemon.run("wait", channel, value)
        expect(ended == Ended(status: 0, output: [value], errors: []))
    }

    @Test("The newer value wins at the start, then each change goes to the other channel, both ways")
    func bothWays() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            try await daemon.succeed("set", "b", "2")
            let link = try daemon.start("link", "a", "b")
            try await self.wait(for: "a", "2", at: daemon)
            try await daemon.succeed("set", "a", "3")
            try await self.wait(for: "b", "3", at: daemon)
            try await daemon.succeed("set", "b", "4")
            try await self.wait(for: "a", "4", at: daemon)
            link.signal(SIGINT)
            expect(await link.ended() == Ended(status: 130, output: [], errors: [Self.linked]))
            expect(try await daemon.succeed("get", "b") == ["4"])
        }
    }

    @Test("A ring of links comes to rest, and all its channels agree on the newest value")
    func ring() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let channels = ["a", "b", "c"]
            var links: [Program] = []
            for (left, right) in [("a", "b"), ("b", "c"), ("c", "a")] {
                links.append(try daemon.start("link", left, right))
            }
            // The value has reached every channel before the race begins.
            try await daemon.succeed("set", "a", "0")
            for channel in channels { try await self.wait(for: channel, "0", at: daemon) }
            let writers = try channels.map { channel in
                let lines = (1...200).map { "\"\(channel)\($0)\"\n" }.joined()
                return try daemon.start("bind", channel, "--no-replay", "-n", "0", input: .text(lines))
            }
            for writer in writers { expect(await writer.ended().status == 0) }
            try await daemon.succeed("set", "b", "1")
            for channel in channels { try await self.wait(for: channel, "1", at: daemon) }
            var atRest: [[String]] = []
            for channel in channels { atRest.append(try await daemon.succeed("get", channel, "-o", "json")) }
            for link in links { link.signal(SIGTERM) }
            for link in links { expect(await link.ended() == Ended(status: 130, output: [], errors: [Self.linked])) }
            for (channel, status) in zip(channels, atRest) {
                expect(try await daemon.succeed("get", channel, "-o", "json") == status)
            }
        }
    }

    @Test("A channel that has ended before the link ends the other one, on either side", arguments: [false, true])
    func endedBefore(isReversed: Bool) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("txn", "a=1", "b=1", "c=1", "d=1")
            try await daemon.succeed("complete", "a")
            try await daemon.succeed("fail", "c", "--code", "x", "--message", "m")
            let words = isReversed ? [["b", "a"], ["d", "c"]] : [["a", "b"], ["c", "d"]]
            expect(try await daemon.start(["link"] + words[0]).ended().status == 0)
            expect(try await daemon.start(["link"] + words[1]).ended().status == 8)
            expect(try await daemon.succeed("get", "b", "d", "-F", "{state}") == ["completed", "failed"])
        }
    }

    @Test("A lost racd is reported once, and when it is back the newest value wins")
    func restart() async throws {
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("s"))"
            let daemon = try await workplace.daemon("--listen", socket)
            let link = try daemon.start("link", "a", "b", "--server", socket)
            let events = try daemon.start("link", "a", "c", "--server", socket, "-o", "json")
            try await daemon.succeed("set", "a", "1")
            for channel in ["b", "c"] { try await self.wait(for: channel, "1", at: daemon) }
            expect(await link.errors.next() == Self.linked)
            await daemon.end(SIGKILL)
            let lost = "lost the connection to racd at \(socket)"
            expect(await link.errors.next() == "racctl: \(lost); connecting again")
            let again = try await workplace.daemon("--listen", socket)
            try await again.succeed("set", "b", "2")
            for channel in ["a", "c"] { try await self.wait(for: channel, "2", at: again) }
            expect(await link.errors.next() == "racctl: connected again")
            try await again.succeed("complete", "a")
            expect(await link.ended().status == 0)
            expect(
                await events.ended()
                    == Ended(
                        status: 0,
                        output: [
                            #"{"event":"connected"}"#,
                            #"{"event":"lost","error":{"code":"connection-lost","message":"\#(lost)"}}"#,
                            #"{"event":"connected"}"#, #"{"event":"completed"}"#,
                        ],
                        errors: []
                    )
            )
        }
    }

    @Test("With --once a lost racd ends the link, which does not ask another one before")
    func once() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let link = try daemon.start("link", "a", "b", "--once", "--timeout", "40")
            expect(await link.errors.next() == Self.linked)
            await daemon.end(SIGKILL)
            expect(await link.ended().status == 6)
        }
    }

    @Test("The end of one channel is that of the other, and of the link: 0 or 8", arguments: [true, false])
    func ends(completes: Bool) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let link = try daemon.start("link", "a", "b")
            try await daemon.succeed("set", "a", "1")
            try await self.wait(for: "b", "1", at: daemon)
            let end = completes ? ["complete", "b"] : ["fail", "b", "--code", "hot", "--message", "too hot"]
            expect(try await daemon.start(end).ended().status == 0)
            let ended = await link.ended()
            expect(ended.status == (completes ? 0 : 8))
            let message = /racctl: [ab] ended with the error hot: too hot/
            let errors = ended.errors.filter { $0 != Self.linked }
            expect(errors.count == (completes ? 0 : 1))
            #expect(try errors.allSatisfy { try message.wholeMatch(in: $0) != nil })
            expect(try await daemon.run("wait", "a", completes ? "completed" : "failed").status == 0)
        }
    }

    @Test("A link that cannot be made is reported in one line, and makes nothing", arguments: ["a", "p"])
    func refused(other: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("create", "p", "--paired")
            let ended = try await daemon.run("link", "a", other)
            let usage = "racctl: a cannot be linked to itself. See racctl link --help"
            let paired = "racctl: p is a paired channel: only shared ones can be linked"
            expect(ended == Ended(status: other == "a" ? 2 : 1, output: [], errors: [other == "a" ? usage : paired]))
            expect(try await daemon.run("get", "a").status == 3)
        }
    }

    @Test("A name of the daemon's own is refused with 5, at once")
    func reserved() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let ended = try await daemon.run("link", "$sys/uptime", "a")
            expect(ended == Ended(status: 5, output: [], errors: ["racctl: $sys/uptime is read-only"]))
            expect(try await daemon.run("get", "a").status == 3)
        }
    }

    // MARK: Filters

    @Test("A filter that collects its output gets a hint")
    func hint() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let link = try daemon.start("link", "a", "b", "--forward", "sed s/1/2/")
            expect(await link.errors.next() == Self.linked)
            try await daemon.succeed("set", "a", "1")
            expect(await link.errors.next()?.hasSuffix("and is started again: sed needs -u") == true)
            link.signal(SIGTERM)
            expect(await link.ended().status == 130)
        }
    }

    @Test("Filters give each channel its own form")
    func filters() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let forward = "while read x; do echo $((x * 9 / 5 + 32)); done"
            let backward = "while read x; do echo $(((x - 32) * 5 / 9)); done"
            let link = try daemon.start("link", "c", "f", "--forward", forward, "--backward", backward)
            try await daemon.succeed("set", "c", "100")
            try await self.wait(for: "f", "212", at: daemon)
            try await daemon.succeed("set", "f", "32")
            try await self.wait(for: "c", "0", at: daemon)
            link.signal(SIGINT)
            expect(await link.ended() == Ended(status: 130, output: [], errors: [Self.linked]))
        }
    }

    @Test("Without one filter values pass as they are in that direction")
    func oneFilter() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let link = try daemon.start("link", "a", "b", "--forward", "while read x; do echo \"[$x]\"; done")
            try await daemon.succeed("set", "a", "1")
            try await self.wait(for: "b", "[1]", at: daemon)
            try await daemon.succeed("set", "b", "2")
            try await self.wait(for: "a", "2", at: daemon)
            link.signal(SIGINT)
            expect(await link.ended().status == 130)
        }
    }

    @Test("A filter that ends by itself ends the link with 1 and one line")
    func dyingFilter() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let link = try daemon.start("link", "a", "b", "--backward", "read x; echo $((x + 1)); read y; exit 3")
            try await daemon.succeed("set", "b", "1")
            try await self.wait(for: "a", "2", at: daemon)
            try await daemon.succeed("set", "b", "5")
            let message = "racctl: --backward ended with status 3"
            expect(await link.ended() == Ended(status: 1, output: [], errors: [Self.linked, message]))
            expect(try await daemon.succeed("get", "a") == ["2"])
            let missing = try await daemon.run("link", "a", "b", "--forward", "exec no-such-filter 2>/dev/null")
            expect(missing.status == 1)
            expect(missing.errors.last == "racctl: --forward ended with status 127")
        }
    }

    @Test("A filter that says nothing, too much or no JSON costs that value, and the next ones pass")
    func stuckFilter() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let script = """
                while read x; do case $x in 1) trap '' TERM; sleep 1000;; 2) echo so what;; 3) echo 30; echo 31;; \
                *) echo "[$x]";; esac; done
                """
            let link = try daemon.start("link", "a", "b", "--forward", script)
            expect(await link.errors.next() == Self.linked)
            let refusal = "racctl: a value of a was not passed on: --forward"
            try await daemon.succeed("set", "a", "1")
            expect(await link.errors.next() == "\(refusal) wrote nothing within 3 s and is started again")
            try await daemon.succeed("set", "a", "2")
            expect(await link.errors.next() == "\(refusal) wrote a line that is not JSON")
            try await daemon.succeed("set", "a", "3")
            try await self.wait(for: "b", "30", at: daemon)
            try await daemon.succeed("set", "a", "4")
            try await self.wait(for: "b", "[4]", at: daemon)
            link.signal(SIGINT)
            expect(await link.ended().status == 130)
        }
    }

    @Test("A link that is interrupted while it waits for a stuck filter ends soon")
    func interruptedFilter() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let link = try daemon.start("link", "a", "b", "--forward", "read x; echo got >&2; trap '' TERM; sleep 1000")
            expect(await link.errors.next() == Self.linked)
            try await daemon.succeed("set", "a", "1")
            expect(await link.errors.next() == "got")
            link.signal(SIGTERM)
            expect(await link.ended().status == 130)
        }
    }
}
