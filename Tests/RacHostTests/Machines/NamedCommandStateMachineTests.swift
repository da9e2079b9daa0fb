import Expectations
import RacProtocol
import Testing

@testable import RacHost

@Suite struct NamedCommandStateMachineTests {
    private var machine = NamedCommandStateMachine()

    private static func state(enabled: Bool, executing: Bool) -> CommandState {
        CommandState(isEnabled: enabled, isExecuting: executing)
    }

    @Test("Nobody executes a command that was never hosted, and it is not enabled")
    func unknown() {
        expect(self.machine.judgeExecution() == .unknown)
        #expect(!self.machine.isKnown)
        expect(self.machine.shown == Self.state(enabled: false, executing: false))
    }

    @Test("A command runs once at a time and is not enabled meanwhile")
    mutating func exclusive() {
        self.machine.hosted(isWilling: true, isConcurrent: false)
        expect(self.machine.judgeExecution() == .accepted)
        self.machine.started()
        expect(self.machine.shown == Self.state(enabled: false, executing: true))
        expect(self.machine.judgeExecution() == .busy)
        self.machine.ended()
        expect(self.machine.shown == Self.state(enabled: true, executing: false))
        expect(self.machine.judgeExecution() == .accepted)
    }

    @Test("A concurrent command stays enabled and executes until its last run has ended")
    mutating func concurrent() {
        self.machine.hosted(isWilling: true, isConcurrent: true)
        for _ in 1...3 {
            expect(self.machine.judgeExecution() == .accepted)
            self.machine.started()
        }
        for _ in 1...2 { self.machine.ended() }
        expect(self.machine.shown == Self.state(enabled: true, executing: true))
        self.machine.ended()
        expect(self.machine.shown == Self.state(enabled: true, executing: false))
    }

    @Test("The host's condition counts together with what is running", arguments: [true, false])
    mutating func condition(isConcurrent: Bool) {
        self.machine.hosted(isWilling: false, isConcurrent: isConcurrent)
        expect(self.machine.judgeExecution() == .unwilling)
        self.machine.conditionChanged(to: true)
        self.machine.started()
        self.machine.conditionChanged(to: false)
        expect(self.machine.shown == Self.state(enabled: false, executing: true))
        expect(self.machine.judgeExecution() == .unwilling)
        self.machine.ended()
        expect(self.machine.shown == Self.state(enabled: false, executing: false))
    }

    @Test("When its host has gone, a command is known and not enabled, and nothing runs")
    mutating func unhosted() {
        self.machine.hosted(isWilling: true, isConcurrent: true)
        self.machine.started()
        self.machine.unhosted()
        #expect(self.machine.isKnown)
        expect(self.machine.judgeExecution() == .hostless)
        expect(self.machine.shown == Self.state(enabled: false, executing: false))
        self.machine.ended()
        self.machine.conditionChanged(to: true)
        expect(self.machine.judgeExecution() == .hostless)
        self.machine.hosted(isWilling: true, isConcurrent: false)
        expect(self.machine.judgeExecution() == .accepted)
    }

    @Test("A command that was never hosted is not known")
    mutating func neverHosted() {
        self.machine.unhosted()
        #expect(!self.machine.isKnown)
    }
}
