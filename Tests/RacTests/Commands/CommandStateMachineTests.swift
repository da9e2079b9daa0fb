import Expectations
import Testing
@testable import Rac

@Suite struct CommandStateMachineTests {
    @Test("At rest it is enabled and has nothing to report")
    func rest() {
        var machine = CommandStateMachine(allowsConcurrentExecution: false)
        #expect(machine.isEnabled)
        #expect(!machine.isExecuting)
        expect(machine.nextNotice() == nil)
    }

    @Test("A command that runs alone refuses the next execution until the last has ended")
    func alone() {
        var machine = CommandStateMachine(allowsConcurrentExecution: false)
        let first = machine.requested()
        #expect(first)
        expect(machine.takeNotices() == [.executing(true), .enabled(false)])
        let second = machine.requested()
        #expect(!second)
        expect(machine.nextNotice() == nil)
        machine.ended()
        expect(machine.takeNotices() == [.executing(false), .enabled(true)])
    }

    @Test("command-3 A command that revokes first is not announced as enabled and executing")
    func revokesFirst() {
        var machine = CommandStateMachine(allowsConcurrentExecution: false, revokesFirst: true)
        let accepted = machine.requested()
        #expect(accepted)
        expect(machine.takeNotices() == [.enabled(false), .executing(true)])
        machine.ended()
        expect(machine.takeNotices() == [.executing(false), .enabled(true)])
    }

    @Test("A change that was taken back before anybody asked is not reported")
    func takenBack() {
        var machine = CommandStateMachine(allowsConcurrentExecution: false)
        machine.conditionChanged(to: false)
        machine.conditionChanged(to: true)
        expect(machine.nextNotice() == nil)
    }

    @Test("command-15 Allowing and forbidding concurrency does not lose count of what runs")
    func count() {
        var machine = CommandStateMachine(allowsConcurrentExecution: true)
        let accepted = [machine.requested(), machine.requested()]
        expect(accepted == [true, true])
        machine.concurrencyChanged(to: false)
        #expect(!machine.isEnabled)
        machine.ended()
        #expect(!machine.isEnabled)
        machine.ended()
        #expect(machine.isEnabled)
    }

    @Test("A condition that is not met disables it whatever runs")
    func condition() {
        var machine = CommandStateMachine(allowsConcurrentExecution: true)
        machine.conditionChanged(to: false)
        let accepted = machine.requested()
        #expect(!accepted)
        expect(machine.takeNotices() == [.enabled(false)])
    }
}

extension CommandStateMachine {
    /// All pending notices.
    fileprivate mutating func takeNotices() -> [Notice] {
        var notices: [Notice] = []
        while let notice = self.nextNotice() { notices.append(notice) }
        return notices
    }
}
