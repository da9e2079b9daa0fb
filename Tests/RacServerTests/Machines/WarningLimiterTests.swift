import Expectations
import Testing

@testable import RacServer

@Suite struct WarningLimiterTests {
    @Test("One warning of a kind is logged in ten seconds, and the next one says how many were left out")
    func interval() {
        var limiter = WarningLimiter()
        expect(limiter.admit("limit", at: 1_000) == 0)
        expect(limiter.admit("limit", at: 1_001) == nil)
        expect(limiter.admit("bad-message", at: 1_002) == 0)
        expect(limiter.admit("limit", at: 10_999) == nil)
        expect(limiter.admit("limit", at: 11_000) == 2)
        expect(limiter.admit("limit", at: 22_000) == 0)
    }

    @Test("Another reason of a kind is logged after a second")
    func reasons() {
        var limiter = WarningLimiter()
        expect(limiter.admit("claim", because: "a", at: 1_000) == 0)
        expect(limiter.admit("claim", because: "b", at: 1_999) == nil)
        expect(limiter.admit("claim", because: "b", at: 2_000) == 1)
        expect(limiter.admit("claim", because: "b", at: 3_000) == nil)
        expect(limiter.admit("claim", because: "b", at: 12_000) == 1)
    }
}
