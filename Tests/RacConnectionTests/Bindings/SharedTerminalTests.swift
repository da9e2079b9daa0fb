import Expectations
import RacConnection
import RacProtocol
import RacTesting
import Testing

/// The rows of protocol.md's table for a terminal of a shared channel, in their order.
@Suite struct SharedTerminalTests {
    private typealias News = TerminalStateMachine.News

    private var machine = TerminalStateMachine(mode: .shared)
    private let first: Valuation

    init() throws {
        self.first = try .sample(5, "0")
        _ = self.machine.bound(.sample(1, self.first), isNewEpoch: true)
    }

    /// Writes each of these, and returns the numbers under which they go out.
    @discardableResult
    private mutating func send(_ texts: String...) throws -> [UInt64] {
        try texts.flatMap { text in
            _ = self.machine.write(.next(try JSONText(text), condition: nil, cause: nil))
            return self.drained()
        }
    }

    private mutating func drained() -> [UInt64] {
        var numbers: [UInt64] = []
        while let send = self.machine.nextSend() { numbers.append(send.number.number) }
        return numbers
    }

    private var shown: String? { self.machine.shownValue?.text.text }

    @Test("settled, open: a value of the program goes out under the next number and is shown")
    mutating func sends() throws {
        expect(try self.send("1", "2") == [1, 2])
        expect(self.shown == "2")
        #expect(!self.machine.isSettled)
    }

    @Test("any: an arrival with a revision below that of the newest acknowledged value changes nothing")
    mutating func belowOwn() throws {
        try self.send("1")
        _ = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(self.machine.arrived(try .sample(7)) == News())
        expect(self.shown == "1")
    }

    @Test("settled: an arrival is shown")
    mutating func arrives() throws {
        let value = try Valuation.sample(7, "7")
        expect(self.machine.arrived(value) == News(value: value))
    }

    @Test("open: an arrival is not shown before the last value is answered")
    mutating func arrivesWhileOpen() throws {
        try self.send("1", "2")
        let value = try Valuation.sample(9, "9")
        expect(self.machine.arrived(value) == News())
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(6)).value == nil)
        expect(self.machine.acknowledged(SendNumber(2), as: Revision(8)).value == value)
    }

    @Test("open: behind the answer to the last value nothing is shown that is older than it")
    mutating func olderArrival() throws {
        try self.send("1")
        _ = self.machine.arrived(try .sample(7, "7"))
        let applied = TerminalStateMachine.Answer.applied(through: 1, Revision(8))
        let news = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(news == News(standing: Revision(8), answer: applied))
        expect(self.shown == "1")
    }

    @Test("open: an acknowledgement with a value shows that value")
    mutating func changedNothing() throws {
        try self.send("1")
        let standing = try Valuation.sample(9, "9")
        expect(self.machine.changedNothing(SendNumber(1), standing: standing).value == standing)
    }

    @Test("open: a refusal of an earlier value is reported, and the value in it is shown behind the last answer")
    mutating func refusedEarlier() throws {
        try self.send("1", "2")
        let standing = try Valuation.sample(9, "9")
        let refusal = Refusal.sample(.conflict, standing)
        let news = self.machine.refused(SendNumber(1), refusal, standing: standing)
        expect(news == News(answer: .refused(1...1, refusal)))
        expect(self.machine.acknowledged(SendNumber(2), as: Revision(8)).value == standing)
    }

    @Test("open: a refusal of the last value is reported, and the value in it is shown")
    mutating func refusedLast() throws {
        try self.send("1")
        let standing = try Valuation.sample(9, "9")
        let refusal = Refusal.sample(.conflict, standing)
        let news = self.machine.refused(SendNumber(1), refusal, standing: standing)
        expect(news == News(value: standing, answer: .refused(1...1, refusal)))
    }

    @Test("open: after a refusal without a revision the terminal stays open until its client has asked")
    mutating func asks() throws {
        try self.send("1")
        let refusal = Refusal.sample(.storage)
        #expect(self.machine.mustAsk(afterRefusalOf: SendNumber(1), refusal))
        let value = try Valuation.sample(9, "9")
        expect(self.machine.arrived(value) == News())
        expect(try self.send("2") == [2])
        let news = self.machine.refused(SendNumber(1), refusal, standing: try .sample(7, "7"))
        expect(news == News(answer: .refused(1...1, refusal)))
        expect(self.machine.acknowledged(SendNumber(2), as: Revision(8)).value == value)
    }

    @Test("open: if there is no value to ask for, the newest one from the daemon is shown")
    mutating func asksForNothing() throws {
        try self.send("1")
        let refusal = Refusal.sample(.storage)
        expect(self.machine.refused(SendNumber(1), refusal, standing: nil).value == self.first)
    }

    @Test("unbound, binding: `not-bound` is no answer, and nothing is asked for")
    mutating func notBoundWhileUnbound() throws {
        try self.send("1")
        expect(self.machine.ended(.failed("slow-consumer", nil)) == .bindAgain)
        let refusal = Refusal.sample(.notBound)
        #expect(!self.machine.mustAsk(afterRefusalOf: SendNumber(1), refusal))
        expect(self.machine.refused(SendNumber(1), refusal, standing: nil) == News())
        _ = self.machine.bound(.sample(1), isNewEpoch: false)
        expect(self.drained() == [1])
    }

    @Test("unbound, binding: another answer of the earlier binding counts, and its send does not go out again")
    mutating func answersWhileUnbound() throws {
        try self.send("1", "2", "3")
        expect(self.machine.ended(.failed("slow-consumer", nil)) == .bindAgain)
        let applied = TerminalStateMachine.Answer.applied(through: 1, Revision(8))
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(8)).answer == applied)
        let refusal = Refusal.sample(.storage)
        #expect(!self.machine.mustAsk(afterRefusalOf: SendNumber(2), refusal))
        let refused = TerminalStateMachine.Answer.refused(2...2, refusal)
        expect(self.machine.refused(SendNumber(2), refusal, standing: nil).answer == refused)
        _ = self.machine.bound(.sample(1), isNewEpoch: false)
        expect(self.drained() == [3])
    }

    @Test("unbound: an answer of the earlier binding shows nothing while a newer value waits")
    mutating func answerBeforeWaitingValue() throws {
        try self.send("1")
        _ = self.machine.ended(.failed("slow-consumer", nil))
        expect(try self.send("2") == [])
        let refusal = Refusal.sample(.storage)
        let news = self.machine.refused(SendNumber(1), refusal, standing: nil)
        expect(news == News(answer: .refused(1...1, refusal)))
        _ = self.machine.bound(.sample(1), isNewEpoch: false)
        expect(self.drained() == [2])
        _ = self.machine.acknowledged(SendNumber(2), as: Revision(9))
        expect(self.shown == "2")
    }

    @Test("any: a send that does not fit into a frame is refused behind the answers to the sends before it")
    mutating func tooLong() throws {
        try self.send("1")
        _ = self.machine.write(.next(try JSONText("2"), condition: nil, cause: nil))
        expect(self.machine.nextSend()?.number == SendNumber(2))
        let comesAgain = self.machine.takesBack()
        #expect(comesAgain)
        expect(self.drained() == [])
        let applied = TerminalStateMachine.Answer.applied(through: 1, Revision(8))
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(8)).answer == applied)
        expect(self.machine.nextSend()?.number == SendNumber(2))
        let comesOnceMore = self.machine.takesBack()
        #expect(!comesOnceMore)
        let refusal = Refusal.sample(.tooLarge)
        #expect(self.machine.mustAsk(afterRefusalOf: SendNumber(2), refusal))
        let standing = try Valuation.sample(8, "1")
        let news = self.machine.refused(SendNumber(2), refusal, standing: standing)
        expect(news.answer == .refused(2...2, refusal))
        #expect(self.shown == "1" && self.machine.isSettled)
    }

    @Test("open, with an end kept back: `not-bound` is a refusal; ended: nothing more is delivered")
    mutating func notBoundBehindEnd() throws {
        try self.send("1")
        expect(self.machine.ended(.completed(9)) == .news(News()))
        let refusal = Refusal.sample(.notBound)
        let news = self.machine.refused(SendNumber(1), refusal, standing: nil)
        expect(news == News(value: self.first, answer: .refused(1...1, refusal), end: .completed(9)))
        expect(self.machine.refused(SendNumber(1), refusal, standing: nil) == News())
    }

    @Test("settled, open: `not-bound` for a send that has gone out again is no answer")
    mutating func staleNotBound() throws {
        try self.send("1")
        _ = self.machine.ended(.failed("slow-consumer", nil))
        _ = self.machine.bound(.sample(1), isNewEpoch: false)
        expect(self.drained() == [1])
        expect(self.machine.refused(SendNumber(1), .sample(.notBound), standing: nil) == News())
        let applied = TerminalStateMachine.Answer.applied(through: 1, Revision(8))
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(8)).answer == applied)
    }

    @Test("settled: the program's end goes out, and what arrives is shown as before")
    mutating func ends() throws {
        expect(self.machine.write(.end(.completed)) == .taken(1))
        expect(self.drained() == [1])
        let value = try Valuation.sample(7, "7")
        expect(self.machine.arrived(value) == News(value: value))
    }

    @Test("open: the program's end is kept back until the values before it are answered")
    mutating func endsBehindValues() throws {
        try self.send("1")
        _ = self.machine.write(.end(.completed))
        expect(self.drained() == [])
        _ = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(self.drained() == [2])
    }

    @Test("any: a send behind the program's own end is refused")
    mutating func behindOwnEnd() throws {
        _ = self.machine.write(.end(.completed))
        expect(self.machine.write(.next(.null, condition: nil, cause: nil)) == .ended)
    }

    @Test("any: the acknowledgement of the own end is delivered, and its revision is no value's")
    mutating func ownEndApplied() throws {
        _ = self.machine.write(.end(.completed))
        expect(self.drained() == [1])
        let news = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(news == News(answer: .applied(through: 1, Revision(8))))
        expect(self.machine.since(isNewEpoch: false) == Revision(5))
    }

    @Test("any: a refusal of the own end is reported, and the program may send again")
    mutating func ownEndRefused() throws {
        _ = self.machine.write(.end(.completed))
        expect(self.drained() == [1])
        let refusal = Refusal.sample(.storage)
        #expect(!self.machine.mustAsk(afterRefusalOf: SendNumber(1), refusal))
        let news = self.machine.refused(SendNumber(1), refusal, standing: nil)
        expect(news == News(answer: .refused(1...1, refusal)))
        expect(try self.send("1") == [2])
    }

    @Test("settled: the channel's end is delivered")
    mutating func ended() {
        expect(self.machine.ended(.failed("broken", 9)) == .news(News(end: .failed("broken", 9))))
    }

    @Test("open: the channel's end is delivered behind the answer, and an own end that was kept back is refused")
    mutating func endedWhileOpen() throws {
        try self.send("1")
        _ = self.machine.write(.end(.completed))
        expect(self.machine.ended(.failed("broken", 9)) == .news(News()))
        let news = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(news.answer == .applied(through: 1, Revision(8)))
        expect(news.end == .failed("broken", 9))
        expect(self.drained() == [])
        expect(self.machine.write(.next(.null, condition: nil, cause: nil)) == .ended)
    }

    @Test("settled, open: an end of the binding alone is none of the channel, and the client binds again")
    mutating func boundAgain() throws {
        expect(self.machine.ended(.failed("slow-consumer", nil)) == .bindAgain)
        expect(try self.send("1") == [])
    }
}
