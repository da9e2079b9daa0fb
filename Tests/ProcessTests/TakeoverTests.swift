import Expectations
import Glibc
import Testing

@Suite(.timeLimit(.minutes(10))) struct TakeoverTests {
    @Test(
        "A racctl takes over the connection of an earlier one with its session, and that one's will is dropped",
        arguments: [
            (["bind", "a", "--will", "\"lost\""], "1"), (["link", "a", "b"], "racctl: linked"),
            (["provide", "a", "--", "cat"], "racctl: hosting a"),
        ]
    )
    func session(words: [String], sign: String) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--durability", "off")
            try await daemon.succeed("set", "a", "1")
            func begun() async throws -> Program {
                let options = ["--session", "driver", "--name", "kiosk"]
                let program = try daemon.start(words.prefix(1) + options + words.dropFirst())
                let lines = sign == "1" ? program.output : program.errors
                expect(await lines.next() == sign)
                return program
            }
            let first = try await begun()
            // A stopped process keeps its connection, as a machine without power seems to.
            first.signal(SIGSTOP)
            let second = try await begun()
            let clients = try await daemon.succeed("who", "-o", "json")
            expect(clients.count { $0.contains(#""name":"kiosk""#) } == 1)
            first.signal(SIGKILL)
            expect(await first.ended().status == 128 + SIGKILL)
            #expect(second.isRunning)
            expect(try await daemon.succeed("get", "a") == ["1"])
        }
    }
}
