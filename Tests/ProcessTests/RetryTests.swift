import Expectations
import Foundation
import Testing

@Suite(.timeLimit(.minutes(10))) struct RetryTests {
    @Test("With --retry a command waits for a racd that cannot be reached yet, and without it exits with 6")
    func unreachable() async throws {
        try await Workplace.with { workplace in
            let socket = "unix:\(workplace.path("s"))"
            let racctl = Program.path(of: "racctl")
            expect(try await workplace.start(racctl, ["set", "a", "1", "-s", socket]).ended().status == 6)
            let short = ["set", "a", "1", "-s", socket, "--retry", "0.2"]
            expect(try await workplace.start(racctl, short).ended().status == 6)
            let setting = try workplace.start(racctl, ["set", "a", "1", "-s", socket, "--retry", "600"])
            let daemon = try await workplace.daemon("--durability", "off", "--listen", socket)
            expect(await setting.ended() == Ended(status: 0, output: [], errors: []))
            expect(try await daemon.succeed("get", "a", "--retry=1") == ["1"])
        }
    }

    @Test(
        "A time out of range is refused with the range",
        arguments: ["--timeout", "--retry", "--for"],
        ["1e10", "0", "-1", "nan"]
    )
    func ranges(option: String, seconds: String) async throws {
        let words = ["watch", "a", option, seconds]
        let ended = try await Program(Program.path(of: "racctl"), words).ended()
        expect(ended.status == 2)
        let range = "\(option) takes a number of seconds above 0, and at most 1000000000"
        expect(ended.errors.first?.hasPrefix("racctl: \(range)") == true, "\(ended)")
    }
}
