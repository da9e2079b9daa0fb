import Expectations
import Testing

@testable import racctl

@Suite struct FilterStateMachineTests {
    @Test("A line that comes after a value answers it, and then the next value may be asked")
    func answer() {
        var machine = FilterStateMachine()
        for _ in 0..<3 {
            expect(machine.asked() == .write)
            expect(machine.wroteLine() == .answer)
        }
        #expect(!machine.isOutOfStep)
    }

    @Test("A line that comes too late answers nothing, and another run has to be asked")
    func late() {
        var machine = FilterStateMachine()
        expect(machine.asked() == .write)
        machine.timeIsOver()
        #expect(machine.isOutOfStep)
        expect(machine.wroteLine() == .drop)
        expect(machine.asked() == .startAnew)
        machine.ended()
        #expect(machine.isOutOfStep)
        expect(machine.asked() == .startAnew)
    }

    @Test("A line that nobody asked for is no answer to the next value")
    func unasked() {
        var machine = FilterStateMachine()
        expect(machine.asked() == .write)
        expect(machine.wroteLine() == .answer)
        expect(machine.wroteLine() == .drop)
        expect(machine.asked() == .startAnew)
    }

    @Test("A filter that has ended by itself is not asked any more, and its end does not count as out of step")
    func ended() {
        var machine = FilterStateMachine()
        expect(machine.asked() == .write)
        machine.ended()
        machine.timeIsOver()
        #expect(!machine.isOutOfStep)
        expect(machine.asked() == .ended)
    }
}
