import RacHost
import RacProtocol
import Testing

@testable import RacServer

@Suite struct InflationTurnsTests {
    private static let turn = InflationTurns.bytesPerTurn

    private let ids = (1...3).map { ConnectionID($0) }

    /// Turns of which one is over, for which all connections wait.
    private func exhausted() -> InflationTurns {
        var turns = InflationTurns()
        turns.inflated(Self.turn, for: ConnectionID(9), isWhole: true)
        for id in self.ids { #expect(turns.asks(id) == 0) }
        return turns
    }

    @Test("Frames are inflated until a turn's bytes are used up")
    func bound() {
        var turns = InflationTurns()
        #expect(turns.asks(self.ids[0]) == Self.turn)
        turns.inflated(Self.turn - 1, for: self.ids[0], isWhole: true)
        #expect(turns.asks(self.ids[1]) == 1)
        turns.inflated(1, for: self.ids[1], isWhole: true)
        #expect(!turns.isWaiting)
        #expect(turns.asks(self.ids[1]) == 0)
        #expect(turns.isWaiting)
    }

    @Test("Who waits comes in the order of asking, and again behind those who have waited longer")
    func order() {
        var turns = self.exhausted()
        var served: [ConnectionID] = []
        for _ in 0..<6 {
            turns.beginTurn()
            while let id = turns.next() {
                served.append(id)
                #expect(turns.asks(id) == Self.turn)
                turns.inflated(Self.turn, for: id, isWhole: true)
                #expect(turns.asks(id) == 0)
            }
        }
        #expect(served == self.ids + self.ids)
    }

    @Test("A frame that is begun goes on before another one begins, a part each turn")
    func oneAtATime() {
        var turns = self.exhausted()
        var served: [ConnectionID] = []
        for turn in 1...4 {
            turns.beginTurn()
            while let id = turns.next() {
                served.append(id)
                let part = turn < 3 ? turns.asks(id) : Self.turn / 2
                turns.inflated(part, for: id, isWhole: turn >= 3)
            }
        }
        #expect(served == [self.ids[0], self.ids[0], self.ids[0], self.ids[1], self.ids[2]])
        #expect(!turns.isWaiting)
    }

    @Test("Nobody begins a frame in the middle of another one")
    func begun() {
        var turns = InflationTurns()
        turns.inflated(Self.turn, for: self.ids[0], isWhole: false)
        #expect(turns.isWaiting)
        turns.beginTurn()
        #expect(turns.asks(self.ids[1]) == 0)
        #expect(turns.next() == self.ids[0])
        #expect(turns.asks(self.ids[0]) == Self.turn)
        turns.inflated(1, for: self.ids[0], isWhole: true)
        #expect(turns.next() == self.ids[1])
        #expect(turns.asks(self.ids[1]) == Self.turn - 1)
        #expect(turns.next() == nil)
    }

    @Test("Who is gone keeps no place, and lets others begin")
    func leaves() {
        var turns = self.exhausted()
        turns.leaves(self.ids[1])
        turns.beginTurn()
        #expect(turns.next() == self.ids[0])
        turns.inflated(Self.turn, for: self.ids[0], isWhole: false)
        turns.leaves(self.ids[0])
        turns.beginTurn()
        #expect(turns.next() == self.ids[2])
        turns.leaves(self.ids[2])
        #expect(!turns.isWaiting)
        #expect(turns.next() == nil)
    }

    @Test("A turn that nobody makes use of ends")
    func unused() {
        var turns = InflationTurns()
        turns.inflated(Self.turn, for: self.ids[0], isWhole: false)
        turns.beginTurn()
        #expect(turns.next() == self.ids[0])
        #expect(turns.next() == nil)
    }
}
