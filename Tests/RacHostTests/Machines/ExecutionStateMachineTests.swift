import Expectations
import Testing

@testable import RacHost

@Suite struct ExecutionStateMachineTests {
    private var machine = ExecutionStateMachine()

    @Test("A caller that wants an execution hears all of it")
    func wanted() {
        expect(self.machine.value() == .tellCaller)
        expect(self.machine.ended() == .tellAll)
    }

    @Test("The caller of a cancelled execution hears only its end, and the host hears once that it should give up")
    mutating func cancelled() {
        expect(self.machine.cancelled() == .tellHost)
        expect(self.machine.cancelled() == .nothing)
        expect(self.machine.value() == .nothing)
        expect(self.machine.ended() == .tellCaller)
    }

    @Test("Nobody hears of an abandoned execution, and its host hears once that it should give up")
    mutating func abandoned() {
        expect(self.machine.abandoned() == .tellHost)
        expect(self.machine.abandoned() == .nothing)
        expect(self.machine.cancelled() == .nothing)
        expect(self.machine.value() == .nothing)
        expect(self.machine.ended() == .nothing)
    }

    @Test("A caller that goes after it has cancelled hears nothing more, and the host has heard it already")
    mutating func cancelledAndAbandoned() {
        expect(self.machine.cancelled() == .tellHost)
        expect(self.machine.abandoned() == .nothing)
        expect(self.machine.ended() == .nothing)
    }
}
