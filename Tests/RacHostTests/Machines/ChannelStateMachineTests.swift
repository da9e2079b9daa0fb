import Expectations
import RacHost
import RacProtocol
import Testing

@Suite struct ChannelStateMachineTests {
    private static func machine(_ mode: ChannelMode = .shared) throws -> ChannelStateMachine {
        ChannelStateMachine(ChannelRecord(name: try ChannelName("x"), mode: mode, changedAt: 0))
    }

    private static func valuation(_ value: String, _ revision: UInt64, cause: UInt64? = nil) -> Valuation {
        Valuation(value: .text(value), revision: Revision(revision), cause: cause.map(Revision.init(_:)))
    }

    private static func code(_ verdict: ChannelStateMachine.Verdict) -> String? {
        if case .refused(let refusal) = verdict { refusal.error.code } else { nil }
    }

    @Test("In a shared channel both sides show what any side sends")
    func shared() throws {
        var machine = try Self.machine()
        for role in [Role.leading, .following] {
            #expect(machine.record.mode.shows(.leading, from: role))
            #expect(machine.record.mode.shows(.following, from: role))
        }
        let valuation = Self.valuation("1", 7)
        machine.acceptValue(valuation, from: .following, at: 5)
        expect(machine.shown(to: .leading) == valuation)
        expect(machine.shown(to: .following) == valuation)
        expect(machine.sent(by: .leading) == valuation)
        expect(machine.record.wish == nil)
        expect(machine.record.revision == Revision(7))
        expect(machine.record.changedAt == 5)
    }

    @Test("In a paired channel each side shows what the other one sends")
    func paired() throws {
        var machine = try Self.machine(.paired)
        for role in [Role.leading, .following] { #expect(!machine.record.mode.shows(role, from: role)) }
        #expect(machine.record.mode.shows(.leading, from: .following))
        #expect(machine.record.mode.shows(.following, from: .leading))
        let value = Self.valuation("\"is\"", 1)
        let wish = Self.valuation("\"should\"", 2)
        machine.acceptValue(value, from: .leading, at: 0)
        machine.acceptValue(wish, from: .following, at: 0)
        expect(machine.shown(to: .following) == value)
        expect(machine.shown(to: .leading) == wish)
        expect(machine.sent(by: .leading) == value)
        expect(machine.sent(by: .following) == wish)
    }

    @Test("A condition names the revision of the same side's last value")
    func condition() throws {
        var machine = try Self.machine(.paired)
        expect(machine.judgeValue(from: .leading, condition: Revision.never, cause: nil) == .accepted)
        machine.acceptValue(Self.valuation("1", 3), from: .leading, at: 0)
        machine.acceptValue(Self.valuation("2", 4), from: .following, at: 0)
        expect(machine.judgeValue(from: .leading, condition: Revision(3), cause: nil) == .accepted)
        expect(machine.judgeValue(from: .following, condition: Revision(4), cause: nil) == .accepted)
        let verdict = machine.judgeValue(from: .leading, condition: Revision(4), cause: nil)
        guard case .refused(let refusal) = verdict else {
            Issue.record("accepted")
            return
        }
        expect(refusal.error.code == "conflict")
        expect(refusal.revision == Revision(3))
        expect(refusal.value == .text("1"))
    }

    @Test("A conflict on a channel without a value has revision 0")
    func conflictWithoutValue() throws {
        let verdict = try Self.machine().judgeValue(from: .leading, condition: Revision(1), cause: nil)
        guard case .refused(let refusal) = verdict else {
            Issue.record("accepted")
            return
        }
        expect(refusal.revision == Revision.never)
        expect(refusal.value == nil)
    }

    @Test(
        "A cause counts if it is greater than the root of the present value",
        arguments: [(cause: 4, isNewer: false), (cause: 5, isNewer: false), (cause: 6, isNewer: true)]
    )
    func cause(_ cause: Int, _ isNewer: Bool) throws {
        var machine = try Self.machine()
        let present = Self.valuation("1", 9, cause: 5)
        machine.acceptValue(present, from: .leading, at: 0)
        let verdict = machine.judgeValue(from: .following, condition: nil, cause: Revision(UInt64(cause)))
        expect(verdict == (isNewer ? .accepted : .stale(present)))
    }

    @Test("A change without a cause is its own root, and a channel without a value takes every cause")
    func root() throws {
        var machine = try Self.machine()
        expect(machine.judgeValue(from: .leading, condition: nil, cause: Revision(1)) == .accepted)
        let present = Self.valuation("1", 9)
        machine.acceptValue(present, from: .leading, at: 0)
        expect(machine.judgeValue(from: .leading, condition: nil, cause: Revision(9)) == .stale(present))
        expect(machine.judgeValue(from: .leading, condition: nil, cause: Revision(10)) == .accepted)
    }

    @Test("The first end counts, and reopening takes it back with the value that was there")
    func ends() throws {
        var machine = try Self.machine()
        machine.acceptValue(Self.valuation("1", 1), from: .leading, at: 0)
        #expect(machine.isOpen)
        expect(machine.judgeEnd() == .accepted)
        machine.acceptEnd(.completed, as: Revision(2), at: 0)
        expect(machine.record.state == .completed)
        expect(Self.code(machine.judgeEnd()) == "terminated")
        expect(Self.code(machine.judgeValue(from: .leading, condition: Revision(9), cause: nil)) == "terminated")
        #expect(!machine.isOpen)
        machine.acceptReopening(as: Revision(3), at: 0)
        expect(machine.record.state == .open)
        expect(machine.record.value?.revision == Revision(1))
        expect(machine.record.revision == Revision(3))
    }

    @Test("A channel is known from its first change on")
    func known() throws {
        var machine = try Self.machine()
        #expect(!machine.isKnown)
        machine.acceptCreation(mode: .paired, as: Revision(1), at: 0)
        #expect(machine.isKnown)
        expect(machine.record.mode == .paired)
    }
}
