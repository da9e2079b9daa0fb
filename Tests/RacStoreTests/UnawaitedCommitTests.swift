import Expectations
import RacProtocol
import RacStore
import Testing

@Suite struct UnawaitedCommitTests {
    var machine = CommitQueueStateMachine(reserved: Revision(1000), batches: .whole)

    func batch(_ ticket: UInt64, awaited: Bool) throws -> StoreBatch {
        StoreBatch(ticket: ticket, changes: [.put(try .sample("a", "\(ticket)"))], isAwaited: awaited)
    }

    func committed(_ action: CommitQueueStateMachine.OnReady) -> UInt64? {
        if case .begin(let work) = action { work.ticket } else { nil }
    }

    @Test("Unawaited changes gather for a while and are committed when that is over")
    mutating func gathers() throws {
        let pause = CommitQueueStateMachine.gatheringTime
        expect(machine.submitted(try batch(1, awaited: false)) == .wakeLater(after: pause))
        expect(machine.submitted(try batch(2, awaited: false)) == .nothing)
        expect(committed(machine.ready()) == 2)
        _ = machine.submitted(try batch(3, awaited: false))
        expect(machine.committed() == [.committed(through: 2)])
        expect(machine.ready() == .restUntil(after: pause))
        expect(committed(machine.ready()) == 3)
        expect(machine.committed() == [.committed(through: 3)])
        expect(machine.ready() == .rest)
    }

    @Test("An awaited batch takes along what gathers, at once")
    mutating func hastes() throws {
        _ = machine.submitted(try batch(1, awaited: false))
        expect(machine.submitted(try batch(2, awaited: true)) == .wake)
        expect(committed(machine.ready()) == 2)
        _ = machine.submitted(try batch(3, awaited: true))
        _ = machine.submitted(try batch(4, awaited: false))
        _ = machine.committed()
        expect(committed(machine.ready()) == 4)
    }

    @Test("A store that closes does not wait for more")
    mutating func closes() throws {
        _ = machine.submitted(try batch(1, awaited: false))
        machine.closing()
        expect(committed(machine.ready()) == 1)
    }
}
