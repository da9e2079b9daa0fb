import Expectations
import RacWeb
import Testing

/// The table of ``HTTPPatienceStateMachine``, row by row.
@Suite struct HTTPPatienceTests {
    private typealias Machine = HTTPPatienceStateMachine

    private static func machine() -> Machine {
        Machine(heartbeat: 20_000, helloTimeout: 10_000, lingerTime: 1_000, at: 5)
    }

    @Test(
        "Each wait has its time and its end",
        arguments: [
            (.reading, 50_000, .close(isSilent: true)), (.farewell, 1_000, .close(isSilent: false)),
            (.event, 20_000, .comment), (.body, 50_000, .refuse), (.bodyOfStranger, 10_000, .refuse),
            (.head, 10_000, .refuse), (.request, 75_000, .end),
        ] as [(HTTPPatienceStateMachine.Awaited, UInt64, HTTPPatienceStateMachine.OnTicked)]
    )
    func rows(awaited: HTTPPatienceStateMachine.Awaited, limit: UInt64, end: HTTPPatienceStateMachine.OnTicked) {
        var machine = Self.machine()
        expect(machine.ticked(at: 5 + limit - 1, awaiting: awaited) == .nothing)
        expect(machine.ticked(at: 5 + limit, awaiting: awaited) == end)
    }

    @Test("The daemon may take any time")
    func daemon() {
        var machine = Self.machine()
        expect(machine.ticked(at: 1 << 60, awaiting: .daemon) == .nothing)
    }

    @Test("Progress begins the time anew, whatever is awaited next")
    func progress() {
        var machine = Self.machine()
        machine.progressed(at: 9_000)
        expect(machine.ticked(at: 18_999, awaiting: .head) == .nothing)
        expect(machine.ticked(at: 19_000, awaiting: .head) == .refuse)
    }

    @Test("A stream gets a comment at each heartbeat")
    func comments() {
        var machine = Self.machine()
        let times = (1...65).filter { machine.ticked(at: 5 + $0 * 1_000, awaiting: .event) == .comment }
        expect(times == [20, 40, 60])
    }
}
