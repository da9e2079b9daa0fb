import LoadGenerator
import Testing

@Suite struct HandshakeStateMachineTests {
    @Test("Who wants a binding asks for it at the welcome and is ready at the reply")
    func binding() {
        var machine = HandshakeStateMachine(binds: true)
        #expect(machine.welcomed() == .bind)
        #expect(machine.replied(terminal: 3, sends: nil) == .ready(.init(terminal: 3, sends: 0)))
    }

    @Test("Who wants no binding is ready at the welcome")
    func noBinding() {
        var machine = HandshakeStateMachine(binds: false)
        #expect(machine.welcomed() == .ready)
        #expect(machine.replied(terminal: 3, sends: 0) == .fail)
    }

    @Test("A second welcome, an early reply and a reply without a terminal fail")
    func outOfPlace() {
        var machine = HandshakeStateMachine(binds: true)
        #expect(machine.replied(terminal: 3, sends: 0) == .fail)
        #expect(machine.welcomed() == .bind)
        #expect(machine.welcomed() == .fail)
        #expect(machine.replied(terminal: nil, sends: 0) == .fail)
    }
}

@Suite struct SequenceStateMachineTests {
    @Test("Numbers that follow each other with growing revisions are good")
    func good() {
        var machine = SequenceStateMachine()
        #expect(machine.arrived(number: 1, revision: 10) == .good)
        #expect(machine.arrived(number: 2, revision: 14) == .good)
        #expect(machine.arrived(number: 3, revision: nil) == .good)
    }

    @Test("A number that is left out is a gap, once")
    func gap() {
        var machine = SequenceStateMachine()
        #expect(machine.arrived(number: 2, revision: 1) == .gap)
        #expect(machine.arrived(number: 3, revision: 2) == .good)
    }

    @Test("A number again, a revision again and no number at all are disorder")
    func disorder() {
        var machine = SequenceStateMachine()
        #expect(machine.arrived(number: 1, revision: 5) == .good)
        #expect(machine.arrived(number: 1, revision: 6) == .disorder)
        #expect(machine.arrived(number: 2, revision: 5) == .disorder)
        #expect(machine.arrived(number: nil, revision: 7) == .disorder)
    }
}
