import Expectations
import RacProtocol
import Testing

@testable import RacServer

@Suite struct ClosingStateMachineTests {
    private let first = WireError(.badFrame, "first")
    private let second = WireError(.limit, "second")

    @Test("A client that has sent everything gets what is due, then both sides are closed")
    func inputClosed() {
        var machine = ClosingStateMachine()
        #expect(machine.isOpen)
        expect(machine.drained() == .nothing)
        expect(machine.inputClosed() == .drain)
        #expect(!machine.isOpen && machine.isDraining && !machine.isEnded)
        expect(machine.drained() == .end(nil))
        expect(machine.ended() == true)
        #expect(machine.isEnded && !machine.isDraining)
        expect(machine.drained() == .nothing)
    }

    @Test("The first fault is reported, also behind the end of the input")
    func faults() {
        var machine = ClosingStateMachine()
        expect(machine.inputClosed() == .drain)
        expect(machine.failed(self.first) == true)
        expect(machine.failed(self.second) == false)
        expect(machine.inputClosed() == .nothing)
        expect(machine.drained() == .end(self.first))
    }

    @Test("The host is asked once whether the client has what is due")
    func asks() {
        var machine = ClosingStateMachine()
        expect(machine.asks() == false)
        expect(machine.inputClosed() == .drain)
        expect(machine.asks() == true)
        expect(machine.failed(self.first) == true)
        expect(machine.asks() == false)
        expect(machine.drained() == .end(self.first))
    }

    @Test("A client that closes its side while the last is on its way does not lose it")
    func closesWhileFlushing() {
        var machine = ClosingStateMachine()
        expect(machine.ended() == true)
        expect(machine.inputClosed() == .nothing)
        machine.written()
        expect(machine.failed(self.first) == false)
        expect(machine.inputClosed() == .close)
    }

    @Test("A connection ends once")
    func endsOnce() {
        var machine = ClosingStateMachine()
        machine.written()
        #expect(machine.isOpen)
        expect(machine.ended() == true)
        expect(machine.ended() == false)
        expect(machine.failed(self.first) == false)
    }
}
