import Expectations
import RacProtocol
import RacStore
import Testing

/// The changes that a transaction takes in before its commit.
@Suite struct TransactionTests {
    typealias Work = CommitQueueStateMachine.Work

    var machine = CommitQueueStateMachine(reserved: Revision(1000), batches: .parts(of: 16))

    private func put(_ name: String, _ ticket: UInt64) throws -> StoreChange {
        .put(try .sample(name, "\(ticket)"))
    }

    private func work(_ changes: [StoreChange], _ ticket: UInt64) -> Work {
        let byNumber = Dictionary(uniqueKeysWithValues: changes.map { ($0.number, $0) })
        return Work(changes: byNumber, ticket: ticket)
    }

    /// The state in which a batch has been written.
    private mutating func write(_ batch: StoreBatch) throws {
        _ = machine.submitted(batch)
        guard case .begin = machine.ready() else { throw Unexpected() }
    }

    @Test("An awaited batch that comes while rows are written goes into the same transaction")
    mutating func takesIn() throws {
        try self.write(try .sample(1, "a", "b"))
        expect(machine.submitted(try .sample(2, "b")) == .nothing)
        expect(machine.submitted(try .sample(3, "c")) == .nothing)
        expect(machine.written() == .write(work([try put("b", 2), try put("c", 3)], 3)))
        expect(machine.written() == .commit)
        expect(machine.committed() == [.committed(through: 3)])
        expect(machine.ready() == .look(Looks.time))
    }

    @Test("A batch that nobody waits for is left to gather")
    mutating func unawaited() throws {
        try self.write(try .sample(1, "a"))
        expect(machine.submitted(try .sample(2, "b", awaited: false)) == .nothing)
        expect(machine.written() == .commit)
        expect(machine.committed() == [.committed(through: 1)])
        expect(machine.ready() == .restUntil(after: CommitQueueStateMachine.gatheringTime))
    }

    @Test("A transaction that nobody waited for is hurried when a client waits")
    mutating func hastes() throws {
        try self.write(try .sample(1, "a", awaited: false))
        _ = machine.submitted(try .sample(2, "b"))
        expect(machine.written() == .write(work([try put("b", 2)], 2)))
        expect(machine.written() == .commit)
        expect(machine.committed() == [.committed(through: 2)])
        // As behind every commit that somebody waited for.
        expect(machine.ready() == .look(Looks.time))
    }

    @Test("A transaction ends, however many batches come")
    mutating func bounded() throws {
        try self.write(try .sample(1, "a"))
        var parts = 1
        while true {
            _ = machine.submitted(try .sample(UInt64(parts + 1), "a"))
            guard case .write = machine.written() else { break }
            parts += 1
        }
        expect(parts == CommitQueueStateMachine.mostParts)
        expect(machine.committed() == [.committed(through: UInt64(parts))])
        guard case .begin(let next) = machine.ready() else { throw Unexpected() }
        expect(next.ticket == UInt64(parts + 1))
    }

    @Test("A reservation, which is synced in any case, has a transaction of its own")
    mutating func reservation() throws {
        try self.write(try .sample(1, "a"))
        _ = machine.reservationWanted(through: Revision(2000))
        expect(machine.written() == .commit)
        expect(machine.committed() == [.committed(through: 1)])
        expect(machine.ready() == .begin(Work(reservation: Revision(2000))))
        _ = machine.submitted(try .sample(2, "b"))
        expect(machine.written() == .write(work([try put("b", 2)], 2)))
        expect(machine.committed() == [.committed(through: 2), .reserved(through: Revision(2000))])
    }

    @Test("A failed transaction stores nothing: all of it is tried again, with later changes")
    mutating func fails() throws {
        try self.write(try .sample(1, "a", "b"))
        _ = machine.submitted(try .sample(2, "b", "c"))
        _ = machine.written()
        _ = machine.submitted(try .sample(3, "c"))
        expect(machine.failed("full").tell == .failing("full", through: 2))
        expect(machine.ready() == .begin(work([try put("a", 1), try put("b", 2), try put("c", 3)], 3)))
    }

    struct Unexpected: Error {}
}

/// The rest of a tick.
extension TransactionTests {
    @Test("A transaction that has the beginning of a tick looks for the rest")
    mutating func rest() throws {
        try self.write(try .sample(1, "a", followed: true))
        expect(machine.written() == .look(Looks.time))
        #expect(machine.isLooking)
        _ = machine.submitted(try .sample(2, "b", followed: true))
        #expect(!machine.isLooking)
        expect(machine.written() == .write(work([try put("b", 2)], 2)))
        expect(machine.written() == .look(Looks.time))
        _ = machine.submitted(try .sample(3, "c"))
        expect(machine.written() == .write(work([try put("c", 3)], 3)))
        expect(machine.written() == .commit)
    }

    @Test("If the rest does not come in time, the beginning is committed")
    mutating func inVain() throws {
        try self.write(try .sample(1, "a", followed: true))
        expect(machine.written() == .look(Looks.time))
        expect(machine.written() == .commit)
    }

    @Test("If nobody waits for the rest, the look is over when it comes")
    mutating func unawaitedRest() throws {
        try self.write(try .sample(1, "a", followed: true))
        expect(machine.written() == .look(Looks.time))
        _ = machine.submitted(try .sample(2, "b", awaited: false))
        #expect(!machine.isLooking)
        expect(machine.written() == .commit)
    }

    @Test("Where no thread waits awake, none looks for the rest")
    mutating func asleep() throws {
        machine = CommitQueueStateMachine(reserved: Revision(1000), batches: .whole)
        try self.write(try .sample(1, "a", followed: true))
        expect(machine.written() == .commit)
    }
}

/// The wait for clients that the last transaction has answered.
extension TransactionTests {
    /// The state in which two changes have been stored slowly, and a third one has been written.
    private mutating func commitSlowly() throws {
        try self.write(try .sample(1, "a", "b"))
        expect(machine.written() == .commit)
        _ = machine.submitted(try .sample(2, "c"))
        expect(machine.committed(after: .milliseconds(4)) == [.committed(through: 1)])
        expect(machine.ready() == .begin(work([try put("c", 2)], 2)))
    }

    @Test("On a slow disk a transaction waits for the clients that the last one has answered")
    mutating func others() throws {
        try self.commitSlowly()
        expect(machine.written() == .waitForOthers(.milliseconds(1)))
        expect(machine.submitted(try .sample(3, "a")) == .nothing)
        expect(machine.submitted(try .sample(4, "b")) == .complete)
        expect(machine.submitted(try .sample(5, "d")) == .nothing)
        expect(machine.written() == .write(work([try put("a", 3), try put("b", 4), try put("d", 5)], 5)))
        expect(machine.written() == .commit)
    }

    @Test("A client that does not come in time is not waited for any longer")
    mutating func waitIsOver() throws {
        try self.commitSlowly()
        expect(machine.written() == .waitForOthers(.milliseconds(1)))
        _ = machine.submitted(try .sample(3, "a"))
        expect(machine.written() == .write(work([try put("a", 3)], 3)))
        expect(machine.written() == .commit)
    }

    @Test("A client that comes when the wait is over wakes nobody")
    mutating func comesTooLate() throws {
        try self.commitSlowly()
        expect(machine.written() == .waitForOthers(.milliseconds(1)))
        expect(machine.written() == .commit)
        expect(machine.submitted(try .sample(3, "a", "b")) == .nothing)
    }

    @Test("A batch that nobody waits for does not wait for others, nor end such a wait")
    mutating func unawaitedOthers() throws {
        try self.commitSlowly()
        expect(machine.written() == .waitForOthers(.milliseconds(1)))
        expect(machine.submitted(try .sample(3, "a", "b", awaited: false)) == .nothing)
        expect(machine.written() == .commit)
    }
}
