import Expectations
import Testing

@Suite struct ProgramTests {
    @Test("A program that a test starts gets its standard files and no other")
    func descriptors() async throws {
        // This process has many, and ls opens the folder itself.
        let program = try Program("/bin/ls", ["/proc/self/fd"])
        expect(await program.ended() == Ended(status: 0, output: ["0", "1", "2", "3"], errors: []))
    }
}
