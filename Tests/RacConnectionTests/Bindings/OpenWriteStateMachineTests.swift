import Expectations
import RacProtocol
import RacTesting
import Testing

@testable import RacConnection

@Suite struct OpenWriteStateMachineTests {
    private var machine = OpenWriteStateMachine()

    @Test("Without an open write everything that arrives is shown")
    mutating func settled() throws {
        let value = try Valuation.sample(7)
        expect(self.machine.arrived(value) == .init(value: value))
        expect(self.machine.ended(.completed(8)) == .init(end: .completed(8)))
    }

    @Test("A late report of an older value does not replace a newer one")
    mutating func toldLate() throws {
        let newest = try Valuation.sample(8, "8")
        expect(self.machine.arrived(newest) == .init(value: newest))
        expect(try self.machine.arrived(.sample(7, "7")) == .nothing)
        self.machine.sent(SendNumber(1))
        expect(self.machine.refused(SendNumber(1), standing: nil) == .init(value: newest))
    }

    @Test("An arrival during an open write is dropped if it is older than that write")
    mutating func olderThanWrite() throws {
        self.machine.sent(SendNumber(1))
        expect(try self.machine.arrived(.sample(7)) == .nothing)
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(8)) == .nothing)
    }

    @Test("An arrival during an open write is shown after it if it is newer")
    mutating func newerThanWrite() throws {
        self.machine.sent(SendNumber(1))
        _ = try self.machine.arrived(.sample(7, "7"))
        let newest = try Valuation.sample(9, "9")
        expect(self.machine.arrived(newest) == .nothing)
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(8)) == .init(value: newest))
        expect(try self.machine.arrived(.sample(10)) == .init(value: .sample(10)))
    }

    @Test("A write that was applied before gives way to the value whose revision its acknowledgement names")
    mutating func writeAppliedBefore() throws {
        self.machine.sent(SendNumber(1))
        let standing = try Valuation.sample(7)
        _ = self.machine.arrived(standing)
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(7)) == .init(value: standing))
    }

    @Test("A write that changed nothing gives way to what was shown before it, if that is what the channel kept")
    mutating func writeThatChangedNothing() throws {
        let standing = try Valuation.sample(7)
        _ = self.machine.arrived(standing)
        self.machine.sent(SendNumber(1))
        expect(self.machine.changedNothing(SendNumber(1), standing: standing) == .init(value: standing))
        expect(self.machine.arrived(standing) == .nothing)
    }

    @Test("A write that changed nothing gives way to the terminal's own earlier write, if the channel kept that")
    mutating func writeThatChangedNothingAfterOwn() throws {
        _ = try self.machine.arrived(.sample(7))
        for number: UInt64 in 1...2 { self.machine.sent(SendNumber(number)) }
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(8)) == .nothing)
        let own = try Valuation.sample(8)
        expect(self.machine.changedNothing(SendNumber(2), standing: own) == .init(value: own))
        expect(try self.machine.arrived(.sample(9)) == .init(value: .sample(9)))
    }

    @Test("The value that replaces a write is not shown while a later write is open, or if a newer value has arrived")
    mutating func writeThatChangedNothingBeforeOthers() throws {
        for number: UInt64 in 1...2 { self.machine.sent(SendNumber(number)) }
        expect(try self.machine.changedNothing(SendNumber(1), standing: .sample(7)) == .nothing)
        let newer = try Valuation.sample(9)
        expect(self.machine.arrived(newer) == .nothing)
        expect(try self.machine.changedNothing(SendNumber(2), standing: .sample(7)) == .init(value: newer))
        expect(try self.machine.changedNothing(SendNumber(3), standing: .sample(10)) == .nothing)
    }

    @Test("A refused write gives way to the value that the terminal was bound with")
    mutating func boundValue() throws {
        let bound = try Valuation.sample(7)
        self.machine = OpenWriteStateMachine(showing: bound)
        self.machine.sent(SendNumber(1))
        expect(self.machine.refused(SendNumber(1), standing: nil) == .init(value: bound))
    }

    @Test("A value older than an acknowledged write is never shown")
    mutating func olderThanAcknowledged() throws {
        self.machine.sent(SendNumber(1))
        _ = self.machine.acknowledged(SendNumber(1), as: Revision(8))
        expect(try self.machine.arrived(.sample(7)) == .nothing)
        expect(try self.machine.arrived(.sample(9)) == .init(value: .sample(9)))
    }

    @Test("The channel's value must be asked for after a refusal without it, if no later write is open")
    mutating func asking() {
        #expect(!self.machine.mustAsk(afterRefusalOf: SendNumber(1)))
        self.machine.sent(SendNumber(1))
        self.machine.sent(SendNumber(2))
        #expect(!self.machine.mustAsk(afterRefusalOf: SendNumber(1)))
        #expect(self.machine.mustAsk(afterRefusalOf: SendNumber(2)))
    }

    @Test("Only the acknowledgement of the last write lets through what was kept back")
    mutating func lastWrite() throws {
        self.machine.sent(SendNumber(1))
        self.machine.sent(SendNumber(2))
        let value = try Valuation.sample(9)
        _ = self.machine.arrived(value)
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(7)) == .nothing)
        expect(self.machine.acknowledged(SendNumber(2), as: Revision(8)) == .init(value: value))
    }

    @Test("A refused write is followed by the value that the refusal has")
    mutating func refusedWrite() throws {
        self.machine.sent(SendNumber(1))
        let standing = try Valuation.sample(7)
        expect(self.machine.refused(SendNumber(1), standing: standing) == .init(value: standing))
    }

    @Test("A refused write is followed by the arrival that was kept back if that is newer than the refusal's value")
    mutating func refusedWriteWithNewerArrival() throws {
        self.machine.sent(SendNumber(1))
        let newer = try Valuation.sample(9)
        _ = self.machine.arrived(newer)
        expect(try self.machine.refused(SendNumber(1), standing: .sample(7)) == .init(value: newer))
    }

    @Test("The value of a refused write is not shown if a later write of the terminal is applied")
    mutating func refusedBeforeApplied() throws {
        self.machine.sent(SendNumber(1))
        self.machine.sent(SendNumber(2))
        expect(try self.machine.refused(SendNumber(1), standing: .sample(7)) == .nothing)
        expect(self.machine.acknowledged(SendNumber(2), as: Revision(8)) == .nothing)
    }

    @Test("A value that an applied write has overtaken is not shown when a later write is refused without a value")
    mutating func appliedBeforeRefused() throws {
        self.machine.sent(SendNumber(1))
        self.machine.sent(SendNumber(2))
        _ = try self.machine.arrived(.sample(7))
        expect(self.machine.acknowledged(SendNumber(1), as: Revision(8)) == .nothing)
        expect(self.machine.refused(SendNumber(2), standing: nil) == .nothing)
    }

    @Test("An end waits for the last write's answer and comes after the value")
    mutating func endDuringWrite() throws {
        self.machine.sent(SendNumber(1))
        let value = try Valuation.sample(9)
        _ = self.machine.arrived(value)
        #expect(!self.machine.isEnding)
        expect(self.machine.ended(.completed(10)) == .nothing)
        #expect(self.machine.isEnding)
        expect(self.machine.refused(SendNumber(1), standing: nil) == .init(value: value, end: .completed(10)))
    }

    @Test("A lost connection delivers an end that was kept back, and no value whose fate is open")
    mutating func connectionLost() throws {
        self.machine.sent(SendNumber(1))
        _ = try self.machine.arrived(.sample(9))
        expect(self.machine.connectionLost() == .nothing)
        _ = self.machine.ended(.completed(10))
        expect(self.machine.connectionLost() == .init(end: .completed(10)))
    }

    @Test("The end of the binding alone is delivered at once")
    mutating func endOfBinding() {
        self.machine.sent(SendNumber(1))
        expect(self.machine.ended(.failed("slow-consumer", nil)) == .init(end: .failed("slow-consumer", nil)))
    }

    @Test("Answers to what was never sent change nothing")
    mutating func strayAnswers() throws {
        expect(self.machine.acknowledged(SendNumber(3), as: Revision(3)) == .nothing)
        expect(try self.machine.refused(SendNumber(3), standing: .sample(3)) == .nothing)
        expect(try self.machine.arrived(.sample(4)) == .init(value: .sample(4)))
    }
}
