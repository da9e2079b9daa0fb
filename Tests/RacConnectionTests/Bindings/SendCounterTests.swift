import RacProtocol
import Testing

@testable import RacConnection

@Suite struct SendCounterTests {
    @Test("Sends are numbered on from the last one that the daemon applied")
    func numbers() {
        var counter = SendCounter(lastApplied: SendNumber(4))
        #expect(counter.next == SendNumber(5))
        counter.sent()
        #expect(counter.next == SendNumber(6))
    }

    @Test("An answer is for every send up to its number, and no more than were sent")
    func underWay() {
        var counter = SendCounter(lastApplied: .none)
        for _ in 1...5 { counter.sent() }
        counter.answered(upTo: SendNumber(3))
        #expect(counter.underWay == 2)
        counter.answered(upTo: SendNumber(1))
        #expect(counter.underWay == 2)
        counter.answered(upTo: SendNumber(.max))
        #expect(counter.underWay == 0)
    }
}
