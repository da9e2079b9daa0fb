import Expectations
import Testing

@Suite(.timeLimit(.minutes(10))) struct CrowdTests {
    @Test(
        "50 processes on one channel all get every value but their own, and end with the channel",
        arguments: [1, 3]
    )
    func fifty(threads: Int) async throws {
        try await Workplace.with { workplace in
            let daemon = try await workplace.daemon("--threads", "\(threads)")
            try await daemon.succeed("set", "crowd", "0")
            let crowd = try (0..<50).map { _ in try daemon.start("bind", "crowd", input: .pipe) }
            for program in crowd { try #require(await program.output.next() == "0") }
            try await daemon.succeed("set", "crowd", "1")
            for program in crowd { try #require(await program.output.next() == "1") }
            for (index, writer) in crowd.enumerated() where index % 10 == 0 {
                writer.type("\"from \(index)\"\n")
                for (other, program) in crowd.enumerated() where other != index {
                    try #require(await program.output.next() == "\"from \(index)\"")
                }
            }
            try await daemon.succeed("complete", "crowd")
            for (index, program) in crowd.enumerated() {
                let ended = await program.ended()
                expect(ended.status == 0)
                expect(ended.errors == [])
                expect(ended.output.count == (index % 10 == 0 ? 6 : 7))
            }
        }
    }
}
