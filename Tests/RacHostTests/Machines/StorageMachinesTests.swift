import Expectations
import RacHost
import RacProtocol
import Testing

@Suite struct StorageStateMachineTests {
    @Test("Changes since the last batch wait for the next one")
    func outstanding() {
        var machine = StorageStateMachine(isStored: true)
        expect(machine.outstanding == nil)
        expect(machine.closeBatch() == nil)
        machine.changed()
        expect(machine.outstanding == 1)
        expect(machine.closeBatch() == 1)
        expect(machine.outstanding == 1)
        machine.changed()
        expect(machine.outstanding == 2)
        machine.committed(through: 1)
        expect(machine.outstanding == 2)
        expect(machine.closeBatch() == 2)
        machine.committed(through: 2)
        expect(machine.outstanding == nil)
    }

    @Test("A later commit covers the earlier ones, and an earlier one takes nothing back")
    func order() {
        var machine = StorageStateMachine(isStored: true)
        for _ in 1...3 {
            machine.changed()
            _ = machine.closeBatch()
        }
        machine.committed(through: 3)
        machine.committed(through: 1)
        expect(machine.outstanding == nil)
    }

    @Test("Without a store nothing is ever waited for")
    func memory() {
        var machine = StorageStateMachine(isStored: false)
        machine.changed()
        expect(machine.outstanding == nil)
        expect(machine.closeBatch() == nil)
        expect(machine.condition == .memory)
    }

    @Test("A disk failure is remembered until the disk recovers")
    func failing() {
        var machine = StorageStateMachine(isStored: true)
        machine.failing("full", through: 3)
        expect(machine.condition == .failing("full"))
        #expect(machine.failure(of: 3) == "full" && machine.failure(of: 4) == nil)
        machine.recovered()
        expect(machine.failure(of: 3) == nil)
        expect(machine.condition == .well)
    }
}

@Suite struct RevisionSourceTests {
    @Test("Revisions go on above the floor, as far as they are reserved")
    func bounds() {
        var source = RevisionSource(floor: Revision(10), reserved: Revision(12))
        expect(source.newest == Revision(10))
        #expect(source.has(2))
        #expect(!source.has(3))
        expect(source.next() == Revision(11))
        expect(source.next() == Revision(12))
        #expect(!source.has(1))
        source.reserved(through: Revision(20))
        expect(source.next() == Revision(13))
    }

    @Test("A block is asked for once, and the next one when half of it is used")
    func reservation() {
        let block = RevisionSource.blockSize
        var source = RevisionSource(floor: .never, reserved: .never)
        expect(source.neededReservation() == Revision(block))
        expect(source.neededReservation() == nil)
        source.reserved(through: Revision(block))
        expect(source.neededReservation() == nil)
        for _ in 0..<(block / 2) { _ = source.next() }
        expect(source.neededReservation() == nil)
        _ = source.next()
        expect(source.neededReservation() == Revision(2 * block))
    }

    @Test("A floor above the reserved revisions gives out nothing")
    func damaged() {
        var source = RevisionSource(floor: Revision(50), reserved: Revision(20))
        #expect(!source.has(1))
        expect(source.neededReservation() == Revision(50 + RevisionSource.blockSize))
    }
}
