import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct UnansweredSendsTests {
    private func sends(_ numbers: ClosedRange<UInt64>, from lastApplied: UInt64 = 0) -> UnansweredSends {
        var sends = UnansweredSends(lastApplied: SendNumber(lastApplied))
        for number in numbers {
            let event = Send.Event.next(.integer(Int(number)), condition: nil, cause: nil)
            sends.append(Send(terminal: TerminalID(1), number: sends.next, event: event, sync: false))
        }
        return sends
    }

    @Test("Sends are numbered on from the last one that the daemon applied")
    func numbers() {
        let sends = self.sends(5...6, from: 4)
        expect(sends.sends.map(\.number) == [SendNumber(5), SendNumber(6)])
        expect(sends.next == SendNumber(7))
        #expect(sends.newestValue?.value == .integer(6) && sends.newestValue?.number == SendNumber(6))
    }

    @Test("An answer is for every send up to its number, and no more than were sent")
    func answers() {
        var sends = self.sends(1...5)
        sends.answered(upTo: SendNumber(3))
        expect(sends.count == 2)
        sends.answered(upTo: SendNumber(1))
        expect(sends.count == 2)
        sends.answered(upTo: SendNumber(.max))
        #expect(sends.isEmpty)
        expect(sends.next == SendNumber(6))
    }

    @Test("For another terminal the sends are counted anew, behind what was applied there")
    func renumbered() {
        var sends = self.sends(1...5)
        sends.answered(upTo: SendNumber(3))
        sends.renumber(for: .sample(9, lastApplied: 2))
        expect(sends.sends.map(\.number) == [SendNumber(3), SendNumber(4)])
        #expect(sends.sends.allSatisfy { $0.terminal == TerminalID(9) })
        expect(sends.next == SendNumber(5))
    }
}
