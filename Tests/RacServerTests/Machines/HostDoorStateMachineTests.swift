import Expectations
import Testing

@testable import RacServer

/// When events enter the host, on its own loop and from another one.
@Suite struct HostDoorStateMachineTests {
    @Test("A loop begins one tick, however many events follow", arguments: [HostDoorStateMachine.Side.here, .there])
    func begins(side: HostDoorStateMachine.Side) {
        var door = HostDoorStateMachine(side)
        expect(door.entered() == .beginTick)
        door.tickBegan()
        expect(door.entered() == .nothing)
    }

    @Test("On the host's loop a message of a connection that the host knows enters at once")
    func atOnce() {
        let door = Self.open(.here)
        expect(door.message(isKnown: true) == .enter)
    }

    @Test("A message of a connection that the host does not know yet is gathered")
    func unknown() {
        let door = Self.open(.here)
        expect(door.message(isKnown: false) == .gather)
    }

    @Test("Gathered events enter before the message that enters at once, and only once")
    func behind() {
        var door = Self.open(.here)
        door.gathered()
        expect(door.message(isKnown: true) == .deliverAndEnter)
        let taken = [door.takesGathered(), door.takesGathered()]
        expect(taken == [true, false])
        expect(door.message(isKnown: true) == .enter)
    }

    @Test("From another loop every message is gathered, and delivered when the loop's tick ends")
    func there() {
        var door = Self.open(.there)
        expect(door.message(isKnown: true) == .gather)
        door.gathered()
        let ends = door.tickEnds()
        expect(ends == .deliver)
        let isTaken = door.takesGathered()
        #expect(isTaken)
        expect(door.entered() == .beginTick)
    }

    @Test("On the host's loop the end of the tick ends the host's tick behind the gathered events")
    func ends() {
        var door = Self.open(.here)
        door.gathered()
        let ends = door.tickEnds()
        expect(ends == .deliverAndEndHost)
        let isTaken = door.takesGathered()
        #expect(isTaken)
        expect(door.message(isKnown: true) == .enter, "what is delivered enters still")
        door.hostEnds()
        let next = door.hostEnded()
        expect(next == .nothing)
        expect(door.entered() == .beginTick)
    }

    @Test("Nothing enters while the host ends its tick, and no tick begins in it")
    func ending() {
        let door = Self.ending()
        expect(door.message(isKnown: true) == .gather)
        expect(door.entered() == .nothing)
    }

    @Test("Events that were gathered while the host ended its tick need another tick")
    func another() {
        var door = Self.ending()
        door.gathered()
        let next = door.hostEnded()
        expect(next == .beginTick)
        door.tickBegan()
        expect(door.message(isKnown: true) == .deliverAndEnter)
    }

    @Test("A message before any tick finds the door open: it begins the tick itself")
    func idle() {
        let door = HostDoorStateMachine(.here)
        expect(door.message(isKnown: true) == .enter)
    }

    private static func open(_ side: HostDoorStateMachine.Side) -> HostDoorStateMachine {
        var door = HostDoorStateMachine(side)
        door.tickBegan()
        return door
    }

    private static func ending() -> HostDoorStateMachine {
        var door = Self.open(.here)
        _ = door.tickEnds()
        _ = door.takesGathered()
        door.hostEnds()
        return door
    }
}
