import Expectations
import Testing

@testable import RacServer

@Suite struct LoopTurnTests {
    @Test("A poll within a tick that another socket began has its turn in the next tick, and one turn alone")
    func pollWithinTick() throws {
        let daemon = EmbeddedDaemon()
        let client = try daemon.welcomed()
        let loop = client.handler.loop
        // Of the polls until now.
        loop.enterTick()
        daemon.runNow()
        for (isPolled, beginsTurn) in [(true, false), (true, true), (false, false), (false, false)] {
            loop.enterTick()
            expect(loop.isInTurn == beginsTurn)
            if isPolled { loop.polled() }
            daemon.runNow()
        }
    }
}
