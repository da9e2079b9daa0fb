import Expectations
import RacHost
import Testing

@testable import RacServer

@Suite struct ReadTurnsTests {
    private let ids = (1...4).map { ConnectionID($0) }

    /// Serves the line for one turn; each client spends these units of what it gets.
    private static func served(_ turns: inout ReadTurns, spending: (Int) -> Int = { $0 }) -> [(id: UInt64, room: Int)] {
        var served: [(id: UInt64, room: Int)] = []
        turns.begin()
        turns.polled()
        while let id = turns.next() {
            var share = WorkTurn.Share()
            let room = turns.roomInLine(for: share)
            turns.spend(spending(room), by: &share)
            served.append((id.number, room))
        }
        return served
    }

    @Test("A client gets half of a turn at most, and new bytes leave half of it to the line")
    func rooms() {
        var turns = ReadTurns()
        var (first, second) = (WorkTurn.Share(), WorkTurn.Share())
        expect(turns.room(for: first) == ReadTurns.unitsOfClient)
        turns.spend(ReadTurns.unitsOfClient - 1, by: &first)
        expect(turns.room(for: first) == 1)
        expect(turns.room(for: second) == 1)
        turns.spend(1, by: &second)
        expect(turns.room(for: second) == 0)
        turns.begin()
        expect(turns.room(for: first) == ReadTurns.unitsOfClient)
    }

    @Test("The line gets a turn in even parts, and what one leaves goes to the next ones")
    func even() {
        var turns = ReadTurns()
        for id in self.ids { turns.wait(id, bytes: 0) }
        let part = ReadTurns.units / 4
        let served = Self.served(&turns) { $0 == part ? 0 : $0 }
        expect(served.map(\.id) == [1, 2, 3, 4])
        expect(served[0].room == part)
        expect(served[1].room == ReadTurns.units / 3)
        #expect(!turns.isWaiting)
    }

    @Test("A client in the line that wants more waits behind the others, for the next turn")
    func order() {
        var turns = ReadTurns()
        for id in self.ids { turns.wait(id, bytes: 0) }
        turns.begin()
        turns.polled()
        while let id = turns.next() { turns.wait(id, bytes: 0) }
        #expect(turns.isWaiting)
        expect(Self.served(&turns).map(\.id) == [1, 2, 3, 4])
    }

    @Test("Some clients of a long line get this turn, the others the next one")
    func long() {
        var turns = ReadTurns()
        for number in 1...200 as ClosedRange<UInt64> { turns.wait(ConnectionID(number), bytes: 0) }
        let first = Self.served(&turns)
        expect(first.count == ReadTurns.units / 250)
        expect(Self.served(&turns).first?.id == UInt64(first.count) + 1)
    }

    @Test("Clients with few bytes come first, and leave a quarter of the turn to those with many")
    func fewFirst() {
        var turns = ReadTurns()
        for number in 1...100 as ClosedRange<UInt64> {
            turns.wait(ConnectionID(number), bytes: number.isMultiple(of: 2) ? ReadTurns.fewBytes : 1 << 20)
        }
        let served = Self.served(&turns).map(\.id)
        let few = served.prefix { $0.isMultiple(of: 2) }
        expect(few.count == ReadTurns.units * 3 / 4 / 250)
        #expect(served.dropFirst(few.count).contains { !$0.isMultiple(of: 2) })
        #expect(!served.dropFirst(few.count).contains { $0.isMultiple(of: 2) })
    }

    @Test("Nobody in the line gets a turn before the sockets are polled")
    func polled() {
        var turns = ReadTurns()
        turns.wait(self.ids[0], bytes: 0)
        expect(turns.next() == nil)
        turns.polled()
        turns.wait(self.ids[1], bytes: 0)
        expect(turns.next() == self.ids[0])
        expect(turns.next() == nil)
        #expect(turns.isWaiting)
    }

    @Test("Long frames are read one at a time, in the order of their coming")
    func apart() {
        var turns = ReadTurns()
        turns.waitApart(self.ids[0])
        turns.waitApart(self.ids[1])
        expect(turns.nextApart() == self.ids[0])
        turns.beganApart()
        turns.waitApart(self.ids[2])
        expect(turns.nextApart() == nil)
        turns.endedApart()
        // A client that has gone does not begin.
        expect(turns.nextApart() == self.ids[1])
        expect(turns.nextApart() == self.ids[2])
        expect(turns.nextApart() == nil)
        #expect(!turns.isWaiting)
    }
}
