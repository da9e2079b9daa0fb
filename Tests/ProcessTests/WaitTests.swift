import Expectations
import Glibc
import RacClient
import Testing

@Suite(.timeLimit(.minutes(10))) struct WaitTests {
    @Test("A wait ends as soon as the value is there, prints it, and makes no channel")
    func value() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let one = try daemon.start("wait", "a", "1")
            let large = try daemon.start("wait", "a", ">= 20", "-o", "json")
            let part = try daemon.start("wait", "b", ".temp > 20")
            let watch = try daemon.start("watch", "**")
            expect(try await daemon.succeed("list") == [])
            try await daemon.succeed("set", "a", "0")
            expect(await watch.output.next() == "a\t0")
            expect(try await daemon.succeed("wait", "a", "!= 1") == ["0"])
            try await daemon.succeed("set", "a", "1.0")
            expect(await one.ended() == Ended(status: 0, output: ["1.0"], errors: []))
            try await daemon.succeed("set", "a", "20")
            let ended = await large.ended()
            expect(ended.status == 0)
            expect(ended.output.first?.hasPrefix(#"{"channel":"a","rev":"#) == true)
            expect(ended.output.first?.hasSuffix(#","state":"open","value":20}"#) == true)
            try await daemon.succeed("set", "b", #"{"temp": 21}"#)
            expect(await part.ended() == Ended(status: 0, output: [#"{"temp": 21}"#], errors: []))
            expect(try await daemon.succeed("wait", "c", "deleted") == [])
            expect(try await daemon.succeed("wait", "$sys/connections", ">= 1").count == 1)
        }
    }

    @Test("A wait for a state ends when the channel has it")
    func state() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            let exists = try daemon.start("wait", "a", "exists")
            let completed = try daemon.start("wait", "a", "completed")
            let deleted = try daemon.start("wait", "a", "deleted", "-o", "json")
            // A wait that does not watch yet might find the channel gone: it ends with the same.
            try await daemon.succeed("create", "a")
            expect(await exists.ended() == Ended(status: 0, output: [], errors: []))
            try await daemon.succeed("set", "a", "5")
            try await daemon.succeed("complete", "a")
            expect(await completed.ended() == Ended(status: 0, output: ["5"], errors: []))
            expect(try await daemon.succeed("wait", "a", "ended") == ["5"])
            try await daemon.succeed("delete", "a")
            expect(await deleted.ended().output.first?.hasSuffix(#""state":"deleted"}"#) == true)
        }
    }

    @Test("A wait that fails ends with 8 after an error, with 4 after completion, and with 7 when its time is over")
    func inVain() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "5")
            try await daemon.succeed("complete", "a")
            expect(try await daemon.succeed("wait", "a", "5") == ["5"])
            let completed = try await daemon.run("wait", "a", "6")
            expect(completed.status == 4)
            expect(completed.errors == ["racctl: a has completed and will never be 6"])
            try await daemon.succeed("set", "b", "5")
            try await daemon.succeed("fail", "b", "--code", "hot", "--message", "too hot")
            let failed = Ended(status: 8, output: [], errors: ["racctl: b ended with the error hot: too hot"])
            expect(try await daemon.run("wait", "b", "completed") == failed)
            expect(try await daemon.run("wait", "b", "> 5") == failed)
            expect(try await daemon.run("wait", "c", "exists", "--timeout", "0.1").status == 7)
        }
    }

    @Test("A wait that is interrupted ends with 130, and one that lost racd with 6, but never with 0")
    func cutShort() async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "5")
            let waits = try (0..<2).map { _ in try daemon.start("wait", "a", "6", "--once") }
            // The connection that asks is one of them.
            try await daemon.wait { try await $0.connections().entries.count == 1 + waits.count }
            waits[0].signal(SIGINT)
            expect(await waits[0].ended().status == 130)
            await daemon.end()
            expect(await waits[1].ended().status == 6)
        }
    }
}
