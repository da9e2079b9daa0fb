import Expectations
import RacConnection
import RacProtocol
import RacTesting
import Testing

@Suite struct TerminalStateMachineTests {
    private typealias Machine = TerminalStateMachine

    private func next(_ text: String, cause: UInt64? = nil) throws -> Send.Event {
        .next(try JSONText(text), condition: nil, cause: cause.map(Revision.init(_:)))
    }

    private func bound(_ mode: ChannelMode = .shared, _ value: Valuation? = nil) -> Machine {
        var machine = Machine(mode: mode)
        _ = machine.bound(.sample(1, value, mode: mode), isNewEpoch: true)
        return machine
    }

    private func events(_ value: Valuation? = nil) -> Machine {
        var machine = Machine(mode: .shared, meaning: .events)
        _ = machine.bound(.sample(1, value), isNewEpoch: true)
        return machine
    }

    private func drained(_ machine: inout Machine) -> [String] {
        var sends: [String] = []
        while let send = machine.nextSend() {
            switch send.event {
            case .next(let value, let condition, let cause):
                let condition = condition.map { " if \($0)" } ?? ""
                let cause = cause.map { " cause \($0)" } ?? ""
                sends.append("\(send.number.number): \(value)\(condition)\(cause)")
            case .end: sends.append("\(send.number.number): end")
            }
        }
        return sends
    }

    @Test("A property's newest write waits for a connection, and its answer counts for those that it has overwritten")
    func offline() throws {
        var machine = Machine(mode: .shared)
        for number in 1...3 { expect(machine.write(try self.next("\(number)")) == .taken(UInt64(number))) }
        expect(machine.nextSend() == nil)
        expect(machine.bound(.sample(1, try .sample(5, "9")), isNewEpoch: true) == .init())
        expect(self.drained(&machine) == ["1: 3"])
        let news = machine.acknowledged(SendNumber(1), as: Revision(6))
        expect(news == .init(standing: Revision(6), answer: .applied(through: 3, Revision(6))))
        #expect(machine.isSettled)
    }

    @Test("An older write of the program that is answered while a newer one waits for the binding is not shown again")
    func answeredWhileUnbound() throws {
        var machine = self.bound(.shared, try .sample(5, "0"))
        expect(machine.ended(.failed("slow-consumer", nil)) == .bindAgain)
        _ = machine.write(try self.next("2"))
        let earlier = try Valuation.sample(6, "1")
        expect(machine.arrived(earlier) == .init())
        _ = machine.bound(.sample(1, earlier), isNewEpoch: false)
        expect(self.drained(&machine) == ["1: 2"])
        _ = machine.acknowledged(SendNumber(1), as: Revision(7))
        expect(machine.shownValue?.text.text == "2")
    }

    @Test("Every write to a paired channel waits, in its order, up to the bound")
    func pairedOffline() throws {
        var machine = Machine(mode: .paired, maximumWaiting: 2)
        expect(machine.write(try self.next("1")) == .taken(1))
        expect(machine.write(try self.next("2")) == .taken(2))
        expect(machine.write(try self.next("3")) == .full)
        _ = machine.bound(.sample(1, mode: .paired), isNewEpoch: true)
        expect(self.drained(&machine) == ["1: 1", "2: 2"])
    }

    @Test("A program's own write is not overwritten by a value from a link, and overwrites that")
    func causes() throws {
        var machine = Machine(mode: .shared)
        _ = machine.write(try self.next("5", cause: 5))
        _ = machine.write(try self.next("7", cause: 7))
        expect(machine.write(try self.next("6", cause: 6)) == .changesNothing)
        _ = machine.write(try self.next("0"))
        expect(machine.write(try self.next("8", cause: 8)) == .changesNothing)
        _ = machine.bound(.sample(1), isNewEpoch: true)
        expect(self.drained(&machine) == ["1: 0"])
    }

    @Test("A value from a link is written to a channel whose value a crash has lost, and not to one that has it")
    func causeAfterCrash() throws {
        var machine = self.bound(.shared, try .sample(5, "5"))
        expect(machine.write(try self.next("5", cause: 5)) == .changesNothing)
        _ = machine.unbound()
        _ = machine.bound(.sample(1), isNewEpoch: false)
        expect(machine.write(try self.next("5", cause: 5)) == .changesNothing)
        _ = machine.bound(.sample(1), isNewEpoch: true)
        expect(machine.write(try self.next("5", cause: 5)) == .taken(1))
        expect(self.drained(&machine) == ["1: 5 cause 5"])
        expect(machine.write(try self.next("5", cause: 5)) == .changesNothing)
    }

    @Test("A paired channel's last arrival is known to everybody who joins, until a crash has lost it")
    func lastThatCame() throws {
        var machine = self.bound(.paired)
        #expect(machine.shownValue == nil)
        _ = try machine.arrived(.sample(7, "7"))
        _ = machine.write(try self.next("1"))
        expect(machine.shownValue?.text.text == "7")
        _ = machine.bound(.sample(1, mode: .paired), isNewEpoch: true)
        #expect(machine.shownValue == nil)
    }

    @Test("After a lost connection every write without an answer goes out under its number")
    func resending() throws {
        var machine = self.bound(.paired)
        for number in 1...3 { _ = machine.write(try self.next("\(number)")) }
        expect(self.drained(&machine).count == 3)
        expect(machine.unbound() == .init())
        let again = machine.bound(.sample(1, mode: .paired, lastApplied: 1), isNewEpoch: false)
        expect(again == .init())
        expect(self.drained(&machine) == ["1: 1", "2: 2", "3: 3"])
    }

    @Test("The answer to the program's own end opens nothing, and the channel's end is delivered behind or before it")
    func answerToOwnEnd() throws {
        for answersFirst in [true, false] {
            var machine = self.bound(.shared, try .sample(5))
            _ = machine.write(.end(.completed))
            _ = self.drained(&machine)
            if answersFirst { _ = machine.acknowledged(SendNumber(1), as: Revision(6)) }
            expect(machine.ended(.completed(6)) == .news(.init(end: .completed(6))))
        }
    }

    @Test("Sends go out under their numbers into the next channel of the name, if the daemon has taken those over")
    func goesOnInNextChannel() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        _ = machine.unbound()
        expect(machine.was == TerminalID(1))
        var bound = try Bound.sample(5, .sample(9, "2"), lastApplied: 1)
        bound.was = TerminalID(1)
        _ = machine.bound(bound, isNewEpoch: false)
        expect(machine.nextSend()?.number == SendNumber(1))
        expect(machine.acknowledged(SendNumber(1), as: Revision(9)).value == (try .sample(9, "2")))
        expect(machine.was == nil)
    }

    @Test("An older daemon does not take the numbers over: the writes are counted anew")
    func countsAnewInNextChannel() throws {
        var machine = self.bound(.paired)
        for number in 1...2 { _ = machine.write(try self.next("\(number)")) }
        _ = self.drained(&machine)
        _ = machine.acknowledged(SendNumber(1), as: Revision(3))
        _ = machine.unbound()
        _ = machine.bound(.sample(5, mode: .paired), isNewEpoch: false)
        expect(self.drained(&machine) == ["1: 2"])
    }

    @Test("An arrival that waited for a lost answer is shown, although the reply brings no value")
    func heldBackArrival() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        _ = machine.arrived(try .sample(9, "2"))
        _ = machine.unbound()
        var bound = Bound.sample(1, lastApplied: 1)
        bound.revision = Revision(9)
        _ = machine.bound(bound, isNewEpoch: false)
        _ = self.drained(&machine)
        expect(machine.acknowledged(SendNumber(1), as: Revision(9)).value == (try .sample(9, "2")))
    }

    @Test("A write whose refusal was lost with the connection is refused, although a later one was applied")
    func refusedAndLost() throws {
        var machine = self.bound()
        for number in 1...2 {
            _ = machine.write(.next(try JSONText(String(number)), condition: Revision(3), cause: nil))
        }
        expect(self.drained(&machine) == ["1: 1 if 3", "2: 2 if 3"])
        _ = machine.unbound()
        let value = try Valuation.sample(4, "2")
        _ = machine.bound(.sample(1, value, lastApplied: 2), isNewEpoch: false)
        expect(self.drained(&machine) == ["1: 1 if 3", "2: 2 if 3"])
        let refusal = Refusal(WireError(.conflict, "for a test"), standing: value)
        let news = machine.refused(SendNumber(1), refusal, standing: value)
        expect(news == .init(answer: .refused(1...1, refusal)))
        let last = machine.acknowledged(SendNumber(2), as: Revision(4))
        expect(last.answer == .applied(through: 2, Revision(4)))
        expect(machine.shownValue?.text.text == "2")
    }

    @Test("A write whose fate the session has forgotten is refused as that")
    func forgotten() throws {
        var machine = self.bound(.paired)
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        let refusal = Refusal(WireError(.forgotten, "for a test"))
        expect(machine.refused(SendNumber(1), refusal, standing: nil) == .init(answer: .refused(1...1, refusal)))
        #expect(machine.isSettled)
    }

    @Test("A `not-bound` of the earlier binding is no answer to the send that has gone out again")
    func staleNotBound() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        let slow = TerminalEnd(.failed(WireError(.slowConsumer, "for a test")), revision: nil)
        expect(machine.ended(slow) == .bindAgain)
        _ = machine.bound(.sample(1, lastApplied: 0), isNewEpoch: false)
        expect(self.drained(&machine) == ["1: 1"])
        let refusal = Refusal(WireError(.notBound, "for a test"))
        #expect(!machine.mustAsk(afterRefusalOf: SendNumber(1), refusal))
        expect(machine.refused(SendNumber(1), refusal, standing: nil) == .init())
        expect(machine.acknowledged(SendNumber(1), as: Revision(9)).answer == .applied(through: 1, Revision(9)))
    }

    @Test("A send into a channel that ended and was reopened before it came is refused, and the end comes")
    func endBeforeReopening() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        let end = TerminalEnd(.completed, revision: Revision(9))
        expect(machine.ended(end) == .news(.init()))
        let refusal = Refusal(WireError(.notBound, "for a test"))
        let news = machine.refused(SendNumber(1), refusal, standing: nil)
        expect(news.answer == .refused(1...1, refusal))
        expect(news.end == end)
    }

    @Test("In another epoch sends are counted anew")
    func newEpoch() throws {
        var machine = self.bound(.paired)
        for number in 1...3 { _ = machine.write(try self.next("\(number)")) }
        _ = self.drained(&machine)
        _ = machine.acknowledged(SendNumber(2), as: Revision(8))
        _ = machine.unbound()
        _ = machine.write(try self.next("4"))
        _ = machine.bound(.sample(9, mode: .paired), isNewEpoch: true)
        expect(self.drained(&machine) == ["1: 3", "2: 4"])
    }

    @Test("A sync write is sent again under its number although it was applied, to hear that it is on disk")
    func syncAgain() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"), sync: true)
        _ = self.drained(&machine)
        _ = machine.unbound()
        _ = machine.bound(.sample(1, try .sample(4, "1"), lastApplied: 1), isNewEpoch: false)
        expect(self.drained(&machine) == ["1: 1"])
        expect(machine.acknowledged(SendNumber(1), as: Revision(4)).value == nil)
    }

    @Test("A value that this program already shows is not shown again after a reconnection, and a new one is")
    func shownAgain() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        expect(machine.since(isNewEpoch: false) == nil)
        _ = machine.unbound()
        let own = machine.bound(.sample(1, try .sample(4, "1"), lastApplied: 1), isNewEpoch: false)
        expect(own == .init())
        expect(self.drained(&machine) == ["1: 1"])
        let news = machine.acknowledged(SendNumber(1), as: Revision(4))
        expect(news == .init(standing: Revision(4), answer: .applied(through: 1, Revision(4))))
        expect(machine.since(isNewEpoch: false) == Revision(4))
        _ = machine.unbound()
        let other = try Valuation.sample(7, "2")
        expect(machine.bound(.sample(1, other, lastApplied: 1), isNewEpoch: false) == .init(value: other))
    }

    @Test("While a write waits for its answer the reply's value is held, and shown only if it is newer")
    func held() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        _ = machine.unbound()
        expect(machine.bound(.sample(1, try .sample(7, "2")), isNewEpoch: true) == .init())
        expect(self.drained(&machine) == ["1: 1"])
        let newer = try Valuation.sample(9, "3")
        expect(machine.arrived(newer) == .init())
        expect(machine.acknowledged(SendNumber(1), as: Revision(8)).value == newer)
    }

    @Test("A write that the daemon has lost with its last milliseconds is written again, if nobody was faster")
    func lostByTheDaemon() throws {
        var machine = self.bound(.shared, try .sample(3, "0"))
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        _ = machine.acknowledged(SendNumber(1), as: Revision(8))
        _ = machine.unbound()
        expect(machine.bound(.sample(1, try .sample(3, "0")), isNewEpoch: true) == .init())
        expect(self.drained(&machine) == ["1: 1 if 3"])
        let refusal = Refusal.sample(.conflict, try .sample(9, "5"))
        let news = machine.refused(SendNumber(1), refusal, standing: try .sample(9, "5"))
        expect(news == .init(value: try .sample(9, "5")))
    }

    @Test("A channel that another epoch has lost gets the value that the program knows, and no default")
    func offered() throws {
        let five = try JSONText("5")
        var machine = Machine(mode: .shared)
        expect(machine.offer(five, isNewEpoch: true) == five)
        _ = machine.bound(.sample(1, try .sample(4, "7")), isNewEpoch: true)
        _ = machine.unbound()
        var other = machine
        // In the same epoch the channel was deleted.
        expect(machine.offer(five, isNewEpoch: false) == five)
        expect(other.offer(five, isNewEpoch: true) == nil)
        // Nothing is lost.
        var standing = other
        _ = standing.bound(.sample(1, try .sample(4, "7")), isNewEpoch: true)
        expect(self.drained(&standing) == [])
        _ = other.bound(.sample(1, nil), isNewEpoch: true)
        expect(self.drained(&other) == ["1: 7 if 0"])
        // A refusal, as by a bound for the bytes of values, ends nothing and is not reported.
        expect(other.refused(SendNumber(1), .sample(.limit), standing: nil) == .init())
        expect(other.shownValue?.text.text == "7")
        // The write itself replaces the default.
        _ = machine.write(try self.next("8"))
        expect(machine.offer(five, isNewEpoch: true) == five)
        _ = machine.bound(.sample(1, nil), isNewEpoch: false)
        _ = self.drained(&machine)
        _ = machine.acknowledged(SendNumber(1), as: Revision(9))
        _ = machine.unbound()
        expect(machine.offer(five, isNewEpoch: true) == nil)
        _ = machine.bound(.sample(1, nil), isNewEpoch: true)
        expect(self.drained(&machine) == ["1: 8 if 0"])
        // A value that came through a link keeps its root.
        machine = self.bound(.shared, Valuation(value: five, revision: Revision(9), cause: Revision(3)))
        _ = machine.unbound()
        expect(machine.offer(five, isNewEpoch: true) == nil)
        _ = machine.bound(.sample(1, nil), isNewEpoch: true)
        expect(self.drained(&machine) == ["1: 5 if 0 cause 3"])
    }

    @Test("Another program's value that the daemon has lost gives way to the daemon's")
    func rolledBack() throws {
        var machine = self.bound(.shared, try .sample(8, "1"))
        _ = machine.unbound()
        let older = try Valuation.sample(3, "0")
        expect(machine.bound(.sample(1, older), isNewEpoch: true) == .init(value: older))
    }

    @Test("An end waits for the answers to what was written before, and nothing is written after it")
    func end() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        expect(machine.write(.end(.completed)) == .taken(2))
        expect(machine.write(try self.next("2")) == .ended)
        expect(self.drained(&machine) == ["1: 1"])
        _ = machine.acknowledged(SendNumber(1), as: Revision(4))
        expect(self.drained(&machine) == ["2: end"])
        expect(machine.ended(.completed(5)) == .news(.init(end: .completed(5))))
        expect(machine.write(try self.next("3")) == .ended)
    }

    @Test("An end that was applied ends the terminal, though the channel is open again when the connection is back")
    func endAndReopening() throws {
        var machine = self.bound()
        expect(machine.write(.end(.completed)) == .taken(1))
        expect(self.drained(&machine) == ["1: end"])
        _ = machine.unbound()
        let value = try Valuation.sample(5, "9")
        let answer = Machine.Answer.applied(through: 1, Revision(5))
        let news = Machine.News(value: value, answer: answer, end: .completed(5))
        expect(machine.bound(.sample(1, value, lastApplied: 1), isNewEpoch: false) == news)
        expect(machine.write(try self.next("3")) == .ended)
    }

    @Test("An acknowledged end whose event was lost ends the terminal, though the channel is open again")
    func acknowledgedEndAndReopening() throws {
        var machine = self.bound()
        _ = machine.write(.end(.completed))
        expect(self.drained(&machine) == ["1: end"])
        expect(machine.acknowledged(SendNumber(1), as: Revision(4)).end == nil)
        _ = machine.unbound()
        let news = machine.bound(.sample(1, try .sample(5, "9"), lastApplied: 1), isNewEpoch: false)
        expect(news == .init(value: try .sample(5, "9"), end: .completed(5)))
    }

    @Test("A terminal that has ended its channel does not write again what a crash has lost")
    func endedAndLost() throws {
        var machine = self.bound()
        _ = machine.write(try self.next("1"))
        expect(self.drained(&machine) == ["1: 1"])
        _ = machine.acknowledged(SendNumber(1), as: Revision(4))
        _ = machine.write(.end(.completed))
        expect(self.drained(&machine) == ["2: end"])
        _ = machine.acknowledged(SendNumber(2), as: Revision(5))
        _ = machine.unbound()
        expect(machine.bound(.sample(1), isNewEpoch: true) == .init(end: .completed(0)))
        expect(machine.nextSend() == nil)
    }

    @Test("An end that was not applied is sent again")
    func endAgain() throws {
        var machine = self.bound()
        _ = machine.write(.end(.completed))
        expect(self.drained(&machine) == ["1: end"])
        _ = machine.unbound()
        expect(machine.bound(.sample(1), isNewEpoch: false) == .init())
        expect(self.drained(&machine) == ["1: end"])
    }

    @Test("A binding of a property that was too slow is made again; one of a paired channel is over")
    func slow() throws {
        var property = self.bound()
        expect(property.ended(.failed("slow-consumer", nil)) == .bindAgain)
        var side = self.bound(.paired)
        let end = TerminalEnd.failed("slow-consumer", nil)
        expect(side.ended(end) == .news(.init(end: end)))
    }

    @Test("Sends without an answer go out into the next channel of that name, also if that is of the other mode")
    func otherMode() throws {
        var machine = self.events()
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        _ = machine.unbound()
        let value = try Valuation.sample(9, "2")
        expect(machine.bound(.sample(5, value, mode: .paired), isNewEpoch: false) == .init(value: value))
        expect(self.drained(&machine) == ["1: 1"])
        expect(machine.arrived(try .sample(10, "3")) == .init(value: try .sample(10, "3")))
        let answer = Machine.Answer.applied(through: 1, Revision(11))
        expect(machine.acknowledged(SendNumber(1), as: Revision(11)) == .init(answer: answer))
    }

    @Test("Of events each write goes out again, and no other one replaces it")
    func eventsAgain() throws {
        var machine = Machine(mode: .shared, meaning: .events)
        _ = machine.bound(.sample(1, lastApplied: 4), isNewEpoch: true)
        for number in 1...3 { _ = machine.write(try self.next("\(number)")) }
        expect(self.drained(&machine) == ["5: 1", "6: 2", "7: 3"])
        _ = machine.acknowledged(SendNumber(5), as: Revision(8))
        _ = machine.unbound()
        expect(machine.unansweredCount == 2)
        _ = machine.bound(.sample(1, lastApplied: 5), isNewEpoch: false)
        expect(self.drained(&machine) == ["6: 2", "7: 3"])
    }

    @Test("Of events the program's own value is news where a daemon has lost a later one")
    func ownAgain() throws {
        var machine = self.events()
        _ = machine.write(try self.next("2"))
        _ = machine.nextSend()
        _ = machine.acknowledged(SendNumber(1), as: Revision(7))
        expect(machine.arrived(try .sample(8, "3")).value?.revision == Revision(8))
        _ = machine.unbound()
        let news = machine.bound(.sample(1, try .sample(7, "2")), isNewEpoch: true)
        expect(news.value?.value.text == "2")
    }

    @Test("Of events the program's own value, whose answer was lost, does not come back")
    func ownEvent() throws {
        var machine = self.events()
        _ = machine.write(try self.next("2"))
        _ = self.drained(&machine)
        _ = machine.unbound()
        let own = try Valuation.sample(5, "2")
        expect(machine.bound(.sample(1, own, lastApplied: 1), isNewEpoch: false) == .init())
        _ = self.drained(&machine)
        expect(machine.acknowledged(SendNumber(1), as: Revision(5)).value == nil)
    }

    @Test(
        "Of events a later value of another program counts, also if it equals a repeated and answered send",
        arguments: [true, false]
    )
    func equalEvents(isSettledBetween: Bool) throws {
        var machine = self.events()
        _ = machine.write(try self.next("2"))
        _ = self.drained(&machine)
        _ = machine.unbound()
        _ = machine.bound(.sample(1), isNewEpoch: false)
        _ = self.drained(&machine)
        if isSettledBetween { _ = machine.acknowledged(SendNumber(1), as: Revision(5)) }
        _ = machine.write(try self.next("3"))
        _ = self.drained(&machine)
        if !isSettledBetween { _ = machine.acknowledged(SendNumber(1), as: Revision(5)) }
        let equal = try Valuation.sample(7, "2")
        expect(machine.arrived(equal) == .init())
        expect(machine.acknowledged(SendNumber(2), as: Revision(6)).value == equal)
        let again = try Valuation.sample(8, "2")
        expect(machine.arrived(again) == .init(value: again))
    }

    @Test("Of events none is written again that a crash has lost")
    func lostEvent() throws {
        let before = try Valuation.sample(3, "0")
        var machine = self.events(before)
        _ = machine.write(try self.next("1"))
        _ = self.drained(&machine)
        _ = machine.acknowledged(SendNumber(1), as: Revision(8))
        _ = machine.unbound()
        expect(machine.bound(.sample(1, before), isNewEpoch: true) == .init(value: before))
        expect(self.drained(&machine) == [])
    }

    @Test("The sends under way are limited, and the newest write waits behind them")
    func window() throws {
        var machine = Machine(mode: .shared, maximumUnderWay: 1)
        _ = machine.bound(.sample(1), isNewEpoch: true)
        for number in 1...4 {
            _ = machine.write(try self.next("\(number)"))
            if number == 1 { expect(self.drained(&machine) == ["1: 1"]) }
        }
        expect(machine.nextSend() == nil)
        expect(
            machine.acknowledged(SendNumber(1), as: Revision(5)) == .init(answer: .applied(through: 1, Revision(5)))
        )
        expect(self.drained(&machine) == ["4: 4"])
    }

    @Test("A value from a link is shown once, whichever way it comes")
    func sameChange() throws {
        var machine = self.bound(.shared, try .sample(3, "0"))
        _ = machine.write(try self.next("1", cause: 9))
        _ = self.drained(&machine)
        let same = Valuation(value: try JSONText("1"), revision: Revision(10), cause: Revision(9))
        expect(machine.arrived(same) == .init())
        let news = machine.changedNothing(SendNumber(1), standing: same)
        expect(news.value == nil)
        expect(news.standing == Revision(10))
    }
}
