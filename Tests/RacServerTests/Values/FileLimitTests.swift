import Glibc
import Testing

@testable import RacServer

@Suite struct FileLimitTests {
    @Test("Wanted connections are granted as far as the system's hard limit leaves room beside the daemon's own files")
    func raise() throws {
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        let hard = Int(clamping: limit.rlim_max)
        #expect(FileLimit.raise(for: 1) == 1)
        let most = FileLimit.raise(for: 1 << 40)
        #expect(most < hard || hard >= 1 << 40)
        #expect(most >= min(hard - 100, 1 << 40))
        #expect(FileLimit.raise(for: most) == most)
    }

    @Test("The soft limit has room for what was granted")
    func soft() throws {
        let granted = FileLimit.raise(for: 500)
        var limit = rlimit()
        try #require(getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
        #expect(Int(clamping: limit.rlim_cur) > granted)
    }
}
