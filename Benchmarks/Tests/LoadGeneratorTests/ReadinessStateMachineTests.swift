import LoadGenerator
import Testing

@Suite struct ReadinessStateMachineTests {
    @Test("A connection that wants bindings asks for them when it is taken, and is ready with the last one")
    func bindings() {
        var machine = ReadinessStateMachine()
        #expect(machine.opened() == .bind)
        #expect(machine.asked(for: 2) == .wait)
        #expect(machine.bound() == .wait)
        #expect(machine.bound() == .ready)
    }

    @Test("A connection that awaits no binding is ready at once")
    func noBinding() {
        var machine = ReadinessStateMachine()
        #expect(machine.opened() == .bind)
        #expect(machine.asked(for: 0) == .ready)
    }

    @Test("A connection that is taken twice, and a binding that was not asked for, fail")
    func outOfPlace() {
        var machine = ReadinessStateMachine()
        #expect(machine.bound() == .fail)
        #expect(machine.opened() == .bind)
        #expect(machine.opened() == .fail)
        #expect(machine.asked(for: 0) == .ready)
        #expect(machine.bound() == .fail)
    }
}
