import Expectations
import Glibc
import Testing

@testable import RacServer

@Suite struct FileLimitTests {
    @Test("Wanted connections are granted as far as the system's hard limit leaves room beside the daemon's own files")
    func raise() throws {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let hard = Int(clamping: limit.rlim_max)
        expect(FileLimit.raise(for: 1).connections == 1)
        let most = FileLimit.raise(for: 1 << 40).connections
        #expect(most < hard || hard >= 1 << 40)
        #expect(most >= min(hard - 100, 1 << 40))
        expect(FileLimit.raise(for: most).connections == most)
    }

    @Test("The soft limit has room for what was granted")
    func soft() throws {
        let granted = FileLimit.raise(for: 500)
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(Int(clamping: limit.rlim_cur) > granted.connections + granted.refused)
    }

    @Test(
        "Few files are divided among connections and refused clients, and at least one connection is left",
        arguments: [
            (files: 100_000, connections: 10_000, refused: 32), (10_016, 9_984, 32), (512, 480, 32), (48, 44, 4),
            (30, 26, 4),
            (0, 1, 4), (-50, 1, 4),
        ]
    )
    func room(files: Int, connections: Int, refused: Int) {
        let room = FileLimit.room(for: 10_000, in: files)
        expect(room == Admission.Room(connections: connections, refused: refused))
    }
}
