import Expectations
import RacConnection
import RacProtocol
import Testing

@Suite struct WriteLineTests {
    private var line = WriteLine(overwrites: true)

    private func next(_ text: String, if condition: UInt64? = nil, cause: UInt64? = nil) throws -> Send.Event {
        .next(try JSONText(text), condition: condition.map(Revision.init(_:)), cause: cause.map(Revision.init(_:)))
    }

    private func drained(_ line: inout WriteLine) -> [UInt64] {
        var numbers: [UInt64] = []
        while let send = line.nextSend(into: TerminalID(1)) { numbers.append(send.number.number) }
        return numbers
    }

    @Test("An unsent write is replaced by the next, which answers for both and takes over the wish for the disk")
    mutating func overwriting() throws {
        expect(self.line.append(try self.next("1"), sync: true, isBound: false) == nil)
        _ = self.line.append(try self.next("2"), sync: false, isBound: false)
        self.line.boundInNewEpoch(lastApplied: .none)
        self.line.renumber(lastApplied: .none)
        let send = self.line.nextSend(into: TerminalID(1))
        expect(send?.event == (try self.next("2")))
        expect(send?.sync == true)
        expect(self.line.answered(through: SendNumber(1))?.writes == 1...2)
        #expect(self.line.isEmpty)
    }

    @Test("The numbers of a line are above those of an earlier line, and above the last one applied")
    func afterEarlierLine() throws {
        for lastApplied in [1, 9] as [UInt64] {
            var line = WriteLine(overwrites: true, after: SendNumber(4))
            _ = line.append(try self.next("1"), sync: false, isBound: false)
            line.boundInNewEpoch(lastApplied: SendNumber(lastApplied))
            line.renumber(lastApplied: SendNumber(lastApplied))
            expect(self.drained(&line) == [max(4, lastApplied) + 1])
        }
    }

    @Test("A write that has gone out is not replaced")
    mutating func underWay() throws {
        _ = self.line.append(try self.next("1"), sync: false, isBound: true)
        expect(self.drained(&self.line) == [1])
        _ = self.line.append(try self.next("2"), sync: false, isBound: true)
        expect(self.drained(&self.line) == [2])
        expect(self.line.answered(through: SendNumber(1))?.writes == 1...1)
        #expect(!self.line.isEmpty)
    }

    @Test("A write with a cause replaces only writes with a smaller cause")
    mutating func causes() throws {
        _ = self.line.append(try self.next("1"), sync: false, isBound: false)
        _ = self.line.append(try self.next("5", cause: 5), sync: false, isBound: false)
        _ = self.line.append(try self.next("6", cause: 6), sync: false, isBound: false)
        self.line.renumber(lastApplied: .none)
        expect(self.drained(&self.line) == [1, 2])
        expect(self.line.answered(through: SendNumber(2))?.writes == 2...3)
    }

    @Test("A line that does not overwrite sends every write, a limited number at a time, and holds a limited number")
    func bounds() throws {
        var line = WriteLine(overwrites: false, maximumWaiting: 3, maximumUnderWay: 2)
        for number in 1...3 {
            #expect(line.hasRoom)
            _ = line.append(try self.next("\(number)"), sync: false, isBound: true)
        }
        #expect(!line.hasRoom)
        expect(self.drained(&line) == [1, 2])
        _ = line.answered(through: SendNumber(1))
        expect(self.drained(&line) == [3])
    }

    @Test("An end goes out alone")
    mutating func end() throws {
        _ = self.line.append(try self.next("1"), sync: false, isBound: true)
        _ = self.line.append(.end(.completed), sync: false, isBound: true)
        expect(self.drained(&self.line) == [1])
        expect(self.line.ending == .completed)
        expect(self.line.lastValueNumber == SendNumber(1))
        _ = self.line.answered(through: SendNumber(1))
        expect(self.drained(&self.line) == [2])
        self.line.endRefused()
        expect(self.line.ending == nil)
    }

    @Test("After a lost connection every value without an answer goes out again, even below the last one applied")
    mutating func resending() throws {
        for number in 1...3 { _ = self.line.append(try self.next("\(number)", if: 0), sync: false, isBound: true) }
        expect(self.drained(&self.line) == [1, 2, 3])
        self.line.unbound()
        expect(self.line.boundAgain(lastApplied: SendNumber(3)) == nil)
        expect(self.drained(&self.line) == [1, 2, 3])
    }

    @Test(
        "An end that was applied is answered by the next bind, unless it wants the disk",
        arguments: [false, true]
    )
    mutating func resendingAnEnd(sync: Bool) {
        _ = self.line.append(.end(.completed), sync: sync, isBound: true)
        expect(self.drained(&self.line) == [1])
        self.line.unbound()
        expect(self.line.boundAgain(lastApplied: SendNumber(1))?.writes == (sync ? nil : 1...1))
        expect(self.line.isEmpty == !sync)
    }

    @Test("A write that the daemon has judged goes out again by itself, and nothing replaces it meanwhile")
    mutating func judged() throws {
        for number in 1...3 as ClosedRange<UInt64> {
            _ = self.line.append(try self.next("\(number)"), sync: false, isBound: true)
            expect(self.drained(&self.line) == [number])
        }
        self.line.unbound()
        _ = self.line.append(try self.next("4"), sync: false, isBound: false)
        expect(self.line.boundAgain(lastApplied: SendNumber(1)) == nil)
        self.line.renumber(lastApplied: SendNumber(1))
        expect(self.drained(&self.line) == [1, 4])
        expect(self.line.answered(through: SendNumber(1))?.writes == 1...1)
        expect(self.line.answered(through: SendNumber(4))?.writes == 2...4)
    }

    @Test("Another epoch counts sends from the number in its reply")
    mutating func newEpoch() throws {
        _ = self.line.append(try self.next("1"), sync: false, isBound: true)
        self.line.unbound()
        self.line.boundInNewEpoch(lastApplied: SendNumber(7))
        expect(self.line.lastValueNumber == nil)
        self.line.renumber(lastApplied: .none)
        self.line.append(unasked: try self.next("2"))
        expect(self.drained(&self.line) == [8, 9])
        expect(self.line.answered(through: SendNumber(9))?.writes == nil)
    }
}
