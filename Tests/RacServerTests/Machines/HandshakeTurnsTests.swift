import Expectations
import RacHost
import Testing

@testable import RacServer

@Suite struct HandshakeTurnsTests {
    @Test("A turn has time for some handshakes, and the others wait in the order in which they came")
    func turns() {
        var turns = HandshakeTurns()
        turns.begin()
        #expect(turns.admits)
        turns.spend(HandshakeTurns.nanosecondsPerTurn)
        #expect(!turns.admits)
        for number: UInt64 in 1...5 { turns.wait(ConnectionID(number)) }
        expect(turns.next() == nil)
        turns.begin()
        var order: [UInt64] = []
        while let next = turns.next() {
            order.append(next.number)
            turns.spend(HandshakeTurns.nanosecondsPerTurn / 2)
        }
        #expect(order == [1, 2] && turns.isWaiting)
    }

    @Test("A client that comes later waits behind the line, though the turn has time")
    func line() {
        var turns = HandshakeTurns()
        turns.begin()
        turns.wait(ConnectionID(1))
        #expect(!turns.admits)
        expect(turns.next() == ConnectionID(1))
        #expect(turns.admits && !turns.isWaiting)
    }

    @Test("A step that takes longer than a turn still goes on")
    func long() {
        var turns = HandshakeTurns()
        turns.wait(ConnectionID(1))
        turns.wait(ConnectionID(2))
        for number: UInt64 in 1...2 {
            turns.begin()
            expect(turns.next()?.number == number)
            turns.spend(10 * HandshakeTurns.nanosecondsPerTurn)
            expect(turns.next() == nil)
        }
    }
}
