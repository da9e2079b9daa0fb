import Expectations
import Testing

@testable import RacServer

@Suite struct HeartbeatStateMachineTests {
    @Test("A silent connection is pinged after each interval and ended after two and a half")
    func silence() {
        var machine = HeartbeatStateMachine(interval: 100, at: 1_000)
        expect(machine.ticked(at: 1_099) == .nothing)
        expect(machine.ticked(at: 1_100) == .ping)
        expect(machine.ticked(at: 1_199) == .nothing)
        expect(machine.ticked(at: 1_200) == .ping)
        expect(machine.ticked(at: 1_249) == .nothing)
        expect(machine.ticked(at: 1_250) == .end)
    }

    @Test("Any message keeps the connection, and counting begins anew")
    func heard() {
        var machine = HeartbeatStateMachine(interval: 100, at: 0)
        expect(machine.ticked(at: 100) == .ping)
        machine.heard(at: 249)
        expect(machine.ticked(at: 348) == .nothing)
        expect(machine.ticked(at: 349) == .ping)
        expect(machine.ticked(at: 498) == .ping)
        expect(machine.ticked(at: 499) == .end)
    }

    @Test("A connection that is not read is pinged, never ended, and has its time once it is read again")
    func notRead() {
        var machine = HeartbeatStateMachine(interval: 100, at: 0)
        var pings = 0
        for now in stride(from: UInt64(10), through: 1_000, by: 10) {
            let action = machine.ticked(at: now, isRead: false)
            #expect(action != .end)
            if action == .ping { pings += 1 }
        }
        expect(pings == 10)
        expect(machine.ticked(at: 1_149) == .ping)
        expect(machine.ticked(at: 1_150) == .end)
    }

    @Test("A client is not taken for lost before it was pinged, however late the daemon looks")
    func lateTick() {
        var machine = HeartbeatStateMachine(interval: 100, at: 0)
        expect(machine.ticked(at: 60_000) == .ping)
        expect(machine.ticked(at: 60_149) == .ping)
        expect(machine.ticked(at: 60_150) == .end)
    }
}
