import Expectations
import RacConnection
import RacProtocol
import RacTesting
import Testing

/// The rows of protocol.md's table for a terminal of a paired channel, in their order.
@Suite struct PairedTerminalTests {
    private var machine = TerminalStateMachine(mode: .paired)

    init() {
        _ = self.machine.bound(.sample(1, mode: .paired), isNewEpoch: true)
    }

    private func next(_ text: String) throws -> Send.Event { .next(try JSONText(text), condition: nil, cause: nil) }

    @Test("A value of the program goes out and is not shown")
    mutating func sends() throws {
        _ = self.machine.write(try self.next("1"))
        expect(self.machine.nextSend()?.number == SendNumber(1))
        #expect(self.machine.shownValue == nil)
    }

    @Test("A value of the other side is shown, also while a send has no answer")
    mutating func arrives() throws {
        _ = self.machine.write(try self.next("1"))
        _ = self.machine.nextSend()
        let value = try Valuation.sample(7, "2")
        expect(self.machine.arrived(value) == .init(value: value))
        expect(self.machine.shownValue?.text.text == "2")
    }

    @Test("An acknowledgement and a refusal answer sends, and leave alone what is shown")
    mutating func answers() throws {
        _ = self.machine.arrived(try .sample(7, "2"))
        for number in 1...2 { _ = self.machine.write(try self.next("\(number)")) }
        while self.machine.nextSend() != nil {}
        let applied = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(applied == .init(answer: .applied(through: 1, Revision(8))))
        let refusal = Refusal(WireError(.conflict, "for a test"), standing: try .sample(8, "1"))
        let refused = self.machine.refused(SendNumber(2), refusal, standing: try .sample(8, "1"))
        expect(refused == .init(answer: .refused(2...2, refusal)))
        expect(self.machine.shownValue?.text.text == "2")
    }

    @Test("The program's end goes out behind the answers to the sends before")
    mutating func ends() throws {
        _ = self.machine.write(try self.next("1"))
        _ = self.machine.write(.end(.completed))
        expect(self.machine.nextSend()?.number == SendNumber(1))
        expect(self.machine.nextSend() == nil)
        _ = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(self.machine.nextSend()?.event == .end(.completed))
    }

    @Test("The channel's end is delivered at once, and answers come behind it, where `not-bound` is a refusal")
    mutating func ended() throws {
        for number in 1...2 { _ = self.machine.write(try self.next("\(number)")) }
        while self.machine.nextSend() != nil {}
        expect(self.machine.ended(.completed(8)) == .news(.init(end: .completed(8))))
        #expect(!self.machine.acceptsWrites)
        let applied = TerminalStateMachine.Answer.applied(through: 1, Revision(7))
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(7)) == .init(answer: applied))
        let refusal = Refusal.sample(.notBound)
        let refused = self.machine.refused(SendNumber(2), refusal, standing: nil)
        expect(refused == .init(answer: .refused(2...2, refusal)))
    }

    @Test("The end of the binding alone is reported")
    mutating func slow() {
        let end = TerminalEnd(.failed(WireError(.slowConsumer, "for a test")), revision: nil)
        expect(self.machine.ended(end) == .news(.init(end: end)))
    }

    @Test("The reply's value is shown, and every send without an answer goes out again")
    mutating func bindsAgain() throws {
        _ = self.machine.write(try self.next("1"))
        _ = self.machine.nextSend()
        _ = self.machine.unbound()
        let value = try Valuation.sample(9, "3")
        let bound = self.machine.bound(.sample(1, value, mode: .paired, lastApplied: 1), isNewEpoch: false)
        expect(bound == .init(value: value))
        expect(self.machine.nextSend()?.number == SendNumber(1))
    }

    @Test("A reply without a value leaves what is shown, unless the other side has none any more")
    mutating func bindsWithoutValue() throws {
        _ = self.machine.arrived(try .sample(7, "2"))
        _ = self.machine.unbound()
        var bound = Bound.sample(1, mode: .paired)
        bound.revision = Revision(7)
        _ = self.machine.bound(bound, isNewEpoch: false)
        expect(self.machine.shownValue?.text.text == "2")
        _ = self.machine.unbound()
        _ = self.machine.bound(.sample(1, mode: .paired), isNewEpoch: false)
        #expect(self.machine.shownValue == nil)
    }
}
