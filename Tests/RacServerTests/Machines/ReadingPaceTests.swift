import Expectations
import RacAccess
import Testing

@testable import RacServer

@Suite struct ReadingPaceTests {
    @Test("A second's messages may come at once, and then one after the other")
    func messages() {
        var pace = ReadingPace(ReadRate(messagesPerSecond: 4), at: 1_000)
        for _ in 0..<4 {
            expect(pace.rests(at: 1_000) == nil)
            pace.tookMessage(left: 0)
        }
        expect(pace.rests(at: 1_000) == 1_250)
        expect(pace.rests(at: 1_249) == 1_250)
        expect(pace.rests(at: 1_250) == nil)
        pace.tookMessage(left: 0)
        expect(pace.rests(at: 1_250) == 1_500)
        expect(pace.rests(at: 900_000) == nil)
        for _ in 0..<4 { pace.tookMessage(left: 0) }
        expect(pace.rests(at: 900_000) == 900_250)
    }

    @Test("A long message is taken, and the rest behind it is as long as it should have taken")
    func longMessage() {
        var pace = ReadingPace(ReadRate(bytesPerSecond: 100), at: 0)
        pace.received(1_000)
        expect(pace.rests(at: 0) == nil)
        pace.tookMessage(left: 0)
        expect(pace.rests(at: 0) == 9_010)
        expect(pace.rests(at: 9_010) == nil)
    }

    @Test("Bytes count once: with their message, or as they come if it is not whole")
    func bytes() {
        var pace = ReadingPace(ReadRate(bytesPerSecond: 100), at: 0)
        pace.received(60)
        pace.tookMessage(left: 40)
        expect(pace.rests(at: 0) == nil)
        pace.tookAll()
        // 60 of 100 bytes have come.
        pace.received(39)
        pace.tookAll()
        expect(pace.rests(at: 0) == nil)
        pace.tookMessage(left: 0)
        expect(pace.rests(at: 0) == nil)
        pace.received(1)
        pace.tookAll()
        expect(pace.rests(at: 0) == 10)
    }

    @Test("The slower of two rates counts")
    func both() {
        var pace = ReadingPace(ReadRate(messagesPerSecond: 1, bytesPerSecond: 1_000), at: 0)
        pace.received(10)
        pace.tookMessage(left: 0)
        expect(pace.rests(at: 0) == 1_000)
        expect(pace.rests(at: 1_000) == nil)
        pace.received(5_000)
        pace.tookMessage(left: 0)
        expect(pace.rests(at: 1_000) == 5_001)
    }

    @Test("Over a long time exactly the rate is taken", arguments: [1, 3, 7, 999, 50_000])
    func exact(rate: Int) {
        var pace = ReadingPace(ReadRate(messagesPerSecond: rate), at: 0)
        var (now, taken) = (UInt64(0), 0)
        while now < 10_000 {
            if let end = pace.rests(at: now) {
                #expect(end > now)
                now = end
            } else {
                pace.tookMessage(left: 0)
                taken += 1
            }
        }
        // The second at the beginning is full already; the last millisecond may be missing.
        let share = rate / 1_000 + 1
        #expect((11 * rate - share...11 * rate + share).contains(taken))
    }
}
