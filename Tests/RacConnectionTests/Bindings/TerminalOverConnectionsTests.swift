import Expectations
import RacConnection
import RacProtocol
import RacTesting
import Testing

/// Rows of protocol.md's table of a terminal over connections, in their order.
@Suite struct TerminalOverConnectionsTests {
    private typealias News = TerminalStateMachine.News

    private var machine = TerminalStateMachine(mode: .shared)

    private func next(_ text: String, if condition: UInt64? = nil) throws -> Send.Event {
        .next(try JSONText(text), condition: condition.map(Revision.init(_:)), cause: nil)
    }

    private mutating func bind(_ value: Valuation? = nil, isNewEpoch: Bool = true) {
        _ = self.machine.bound(.sample(1, value), isNewEpoch: isNewEpoch)
    }

    private mutating func drained() -> [UInt64] {
        var numbers: [UInt64] = []
        while let send = self.machine.nextSend() { numbers.append(send.number.number) }
        return numbers
    }

    @Test("bound: a lost connection ends nothing, and sends keep their numbers")
    mutating func lost() throws {
        self.bind()
        _ = self.machine.write(try self.next("1"))
        expect(self.drained() == [1])
        expect(self.machine.unbound() == News())
        self.bind(isNewEpoch: false)
        expect(self.drained() == [1])
    }

    @Test("bound: an end that was kept back is delivered when the connection is lost", arguments: [false, true])
    mutating func lostBehindEnd(endsItself: Bool) throws {
        self.bind()
        _ = self.machine.write(try self.next("1"))
        expect(self.drained() == [1])
        if endsItself { _ = self.machine.write(.end(.completed)) }
        expect(self.machine.ended(.completed(9)) == .news(News()))
        let unknown = TerminalStateMachine.Answer.refused(1...1, Refusal(.lostBeforeAnswer))
        expect(self.machine.unbound() == News(answer: unknown, end: .completed(9)))
        expect(self.machine.write(try self.next("2")) == .ended)
    }

    @Test("unbound: a value replaces the last one, and neither one with a number, nor with `if`, nor an end")
    mutating func waiting() throws {
        self.bind()
        _ = self.machine.write(try self.next("1"))
        expect(self.drained() == [1])
        _ = self.machine.unbound()
        for text in ["2", "3"] { _ = self.machine.write(try self.next(text)) }
        for text in ["4", "5"] { _ = self.machine.write(try self.next(text, if: 3)) }
        _ = self.machine.write(.end(.completed))
        _ = self.machine.bound(.sample(1, lastApplied: 1), isNewEpoch: false)
        expect(self.drained() == [1, 2, 3, 4])
        _ = self.machine.acknowledged(SendNumber(4), as: Revision(9))
        expect(self.drained() == [5])
    }

    @Test(
        "unbound: behind a welcome of the same epoch a bind names the newest revision, and the terminal of open sends"
    )
    mutating func sameEpoch() throws {
        self.bind(try .sample(5))
        _ = self.machine.unbound()
        #expect(self.machine.since(isNewEpoch: false) == Revision(5) && self.machine.was == nil)
        _ = self.machine.write(try self.next("1"))
        #expect(self.machine.since(isNewEpoch: false) == nil && self.machine.was == TerminalID(1))
    }

    @Test(
        "unbound: behind a welcome of another epoch a bind asks for the value, which may be another one of that revision"
    )
    mutating func otherEpoch() throws {
        self.bind(try .sample(5, "0"))
        _ = self.machine.unbound()
        self.machine.forgetRoots()
        expect(self.machine.since(isNewEpoch: true) == .never)
        var other = self.machine
        let standing = Valuation(value: try JSONText("0"), revision: Revision(5), cause: Revision(3))
        expect(self.machine.bound(.sample(1, standing), isNewEpoch: true) == News(standing: Revision(5)))
        expect(self.machine.shownValue?.root == Revision(3))
        let news = News(value: try .sample(5, "1"))
        expect(other.bound(.sample(1, try .sample(5, "1")), isNewEpoch: true) == news)
    }

    @Test("bound: a daemon with lower revisions is heard, also behind a value that it has lost")
    mutating func lowerRevisions() throws {
        self.bind()
        _ = self.machine.write(try self.next("1"))
        expect(self.drained() == [1])
        _ = self.machine.acknowledged(SendNumber(1), as: Revision(900))
        _ = self.machine.unbound()
        self.machine.forgetRoots()
        self.bind()
        expect(self.drained() == [1])
        _ = self.machine.acknowledged(SendNumber(1), as: Revision(20))
        let newer = try Valuation.sample(21, "2")
        expect(self.machine.arrived(newer).value == newer)
    }

    @Test("unbound: a wish of another epoch is shown unless text and revision are those of the last one")
    mutating func wishOfOtherEpoch() throws {
        self.machine = TerminalStateMachine(mode: .paired)
        _ = self.machine.bound(.sample(1, try .sample(5, "0"), mode: .paired), isNewEpoch: true)
        _ = self.machine.unbound()
        self.machine.forgetRoots()
        expect(self.machine.since(isNewEpoch: true) == .never)
        let same = self.machine.bound(.sample(1, try .sample(5, "0"), mode: .paired), isNewEpoch: true)
        expect(same == News())
        _ = self.machine.unbound()
        let other = self.machine.bound(.sample(1, try .sample(5, "1"), mode: .paired), isNewEpoch: true)
        expect(other == News(value: try .sample(5, "1")))
    }

    @Test("unbound: the causes of another epoch give way to each value of the daemon")
    mutating func causes() throws {
        self.bind(try .sample(5, "0"))
        let write = Send.Event.next(try JSONText("1"), condition: nil, cause: Revision(7))
        _ = self.machine.write(write)
        _ = self.machine.unbound()
        self.machine.forgetRoots()
        expect(self.machine.shownValue?.root == .first)
        self.bind(try .sample(2, "2"))
        expect(self.machine.nextSend()?.event == .next(try JSONText("1"), condition: nil, cause: .first))
    }

    @Test("unbound: behind the first welcome a bind names nothing, and numbers begin behind those of the reply")
    mutating func firstWelcome() throws {
        #expect(self.machine.since(isNewEpoch: false) == nil && self.machine.was == nil)
        _ = self.machine.write(try self.next("1"))
        expect(self.drained() == [])
        _ = self.machine.bound(.sample(1, lastApplied: 3), isNewEpoch: true)
        expect(self.drained() == [4])
    }

    @Test("unbound: a binding that ended alone is made again as on a new connection of the same epoch")
    mutating func endedAlone() throws {
        self.bind(try .sample(5))
        _ = self.machine.write(try self.next("1"))
        expect(self.drained() == [1])
        expect(self.machine.ended(.failed("slow-consumer", nil)) == .bindAgain)
        expect(self.machine.was == TerminalID(1))
        _ = self.machine.bound(.sample(1, lastApplied: 1), isNewEpoch: false)
        expect(self.drained() == [1])
    }

    @Test("binding: a reply with revision 0 leaves what is shown, which is not the channel's value any more")
    mutating func nothingThere() throws {
        self.bind(try .sample(5, "0"))
        _ = self.machine.unbound()
        expect(self.machine.bound(.sample(2), isNewEpoch: false) == News())
        expect(self.machine.shownValue?.text.text == "0")
        _ = self.machine.write(try self.next("1"))
        expect(self.drained() == [1])
        let refusal = Refusal.sample(.storage)
        let news = self.machine.refused(SendNumber(1), refusal, standing: nil)
        expect(news == News(answer: .refused(1...1, refusal)))
        expect(self.machine.shownValue?.text.text == "1")
    }

    @Test("binding: behind a reply with revision 0 a new value is shown, also under the revision of the lost one")
    mutating func sameRevision() throws {
        self.bind(try .sample(5, "0"))
        _ = self.machine.unbound()
        _ = self.machine.bound(.sample(2), isNewEpoch: true)
        expect(self.machine.arrived(try .sample(5, "1")) == News(value: try .sample(5, "1")))
    }

    @Test("unbound: the since of a leading paired terminal may be the revision of a wish that was not shown to it")
    mutating func unshownWish() throws {
        self.machine = TerminalStateMachine(mode: .paired)
        var reply = Bound.sample(1, mode: .paired)
        reply.revision = Revision(5)
        _ = self.machine.bound(reply, isNewEpoch: true)
        #expect(self.machine.shownValue == nil)
        _ = self.machine.unbound()
        for isNewEpoch in [false, true] { expect(self.machine.since(isNewEpoch: isNewEpoch) == Revision(5)) }
    }
}
