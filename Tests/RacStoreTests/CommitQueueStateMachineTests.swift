import Expectations
import RacProtocol
import RacStore
import Testing

@Suite struct CommitQueueStateMachineTests {
    typealias Work = CommitQueueStateMachine.Work

    var machine = CommitQueueStateMachine(reserved: Revision(1000), batches: .whole)

    func put(_ name: String, _ value: String) throws -> StoreChange {
        .put(try .sample(name, value))
    }

    func work(_ changes: [StoreChange], ticket: UInt64?, reservation: Revision? = nil) -> Work {
        var byNumber: [ChannelNumber: StoreChange] = [:]
        for change in changes { byNumber[change.number] = change }
        return Work(changes: byNumber, ticket: ticket, reservation: reservation)
    }

    @Test("A resting store checks its files when it is asked to, and a busy one with its next transaction")
    mutating func checks() throws {
        expect(machine.checkWanted() == .wake)
        expect(machine.ready() == .check)
        expect(machine.committed() == [])
        expect(machine.ready() == .rest)
        _ = machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1")]))
        expect(machine.checkWanted() == .nothing)
        expect(machine.ready() == .begin(work([try put("a", "1")], ticket: 1)))
    }

    @Test("Files that are not in their place are reported once, and checked again until they are back")
    mutating func checkFails() {
        _ = machine.checkWanted()
        _ = machine.ready()
        let first = machine.failed("gone")
        expect(first.tell == .failing("gone", through: 0))
        expect(first.next == .retry(after: CommitQueueStateMachine.firstPause))
        expect(machine.ready() == .check)
        expect(machine.failed("gone").tell == nil)
        expect(machine.ready() == .check)
        expect(machine.committed() == [.recovered])
        expect(machine.ready() == .rest)
    }

    @Test("A change that comes while files are missing waits for the next check, which stores it")
    mutating func checkWithChange() throws {
        _ = machine.checkWanted()
        _ = machine.ready()
        _ = machine.failed("gone")
        expect(machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1")])) == .nothing)
        expect(machine.ready() == .begin(work([try put("a", "1")], ticket: 1)))
        expect(machine.failed("gone").tell == .failing("gone", through: 1))
    }

    private func put(_ number: UInt64) throws -> StoreChange {
        .put(StoredChannel(number: ChannelNumber(number), record: try .sample("a", "1")))
    }

    @Test("While the disk fails, channels that come and go leave nothing in the queue")
    mutating func comeAndGo() throws {
        machine = CommitQueueStateMachine(reserved: Revision(1000), greatest: ChannelNumber(5), batches: .whole)
        _ = machine.submitted(StoreBatch(ticket: 1, changes: [try put(6), try put(7)]))
        _ = machine.ready()
        // The transaction may store 6, so this removal counts until it has failed.
        _ = machine.submitted(StoreBatch(ticket: 2, changes: [.remove(ChannelNumber(6)), .remove(ChannelNumber(5))]))
        _ = machine.failed("full")
        for number in 8...1_000 as ClosedRange<UInt64> {
            _ = machine.submitted(StoreBatch(ticket: number, changes: [try put(number)]))
            _ = machine.submitted(StoreBatch(ticket: number, changes: [.remove(ChannelNumber(number))]))
        }
        var expected = work([try put(7), .remove(ChannelNumber(5))], ticket: 1_000)
        expected.removesBeyond = ChannelNumber(5)
        expect(machine.ready() == .begin(expected))
        _ = machine.committed()
        _ = machine.submitted(StoreBatch(ticket: 1_001, changes: [.remove(ChannelNumber(7))]))
        expect(machine.ready() == .begin(work([.remove(ChannelNumber(7))], ticket: 1_001)))
    }

    @Test("A first batch wakes the thread, and further ones before it is there do not")
    mutating func wakes() throws {
        expect(machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1")])) == .wake)
        expect(machine.submitted(StoreBatch(ticket: 2, changes: [try put("b", "2")])) == .nothing)
        expect(machine.ready() == .begin(work([try put("a", "1"), try put("b", "2")], ticket: 2)))
    }

    @Test("Changes that gather during a commit are the next transaction, without a wake")
    mutating func groups() throws {
        _ = machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1")]))
        _ = machine.ready()
        expect(machine.written() == .commit)
        expect(machine.submitted(StoreBatch(ticket: 2, changes: [try put("a", "2")])) == .nothing)
        expect(machine.submitted(StoreBatch(ticket: 3, changes: [try put("b", "3")])) == .nothing)
        expect(machine.committed() == [.committed(through: 1)])
        expect(machine.ready() == .begin(work([try put("a", "2"), try put("b", "3")], ticket: 3)))
        expect(machine.committed() == [.committed(through: 3)])
        expect(machine.ready() == .rest)
        expect(machine.submitted(StoreBatch(ticket: 4, changes: [])) == .wake)
    }

    @Test("Only the newest change of a channel waits, a removal too")
    mutating func conflates() throws {
        let name = try ChannelName("a")
        _ = machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1"), try put("a", "2"), .remove(name)]))
        expect(machine.ready() == .begin(work([.remove(name)], ticket: 1)))
    }

    @Test("The pending changes are bounded by the number of channels, not of writes")
    mutating func bounded() throws {
        for ticket in 1...10_000 as ClosedRange<UInt64> {
            _ = machine.submitted(StoreBatch(ticket: ticket, changes: [try put("a/\(ticket % 10)", "\(ticket)")]))
        }
        guard case .begin(let work) = machine.ready() else { throw Unexpected() }
        expect(work.changes.count == 10)
        expect(work.ticket == 10_000)
    }

    @Test("A batch without changes is reported as committed in its turn")
    mutating func emptyBatch() {
        expect(machine.submitted(StoreBatch(ticket: 7, changes: [])) == .wake)
        expect(machine.ready() == .begin(work([], ticket: 7)))
        expect(machine.committed() == [.committed(through: 7)])
    }

    @Test("A failed transaction is tried again with what came meanwhile, of which the newer change wins")
    mutating func keepsFailed() throws {
        _ = machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1"), try put("b", "1")]))
        _ = machine.ready()
        _ = machine.submitted(StoreBatch(ticket: 2, changes: [try put("a", "2")]))
        let failure = machine.failed("full")
        expect(failure.tell == .failing("full", through: 1))
        expect(failure.next == .retry(after: CommitQueueStateMachine.firstPause))
        expect(machine.submitted(StoreBatch(ticket: 3, changes: [try put("c", "3")])) == .nothing)
        expect(machine.ready() == .begin(work([try put("a", "2"), try put("b", "1"), try put("c", "3")], ticket: 3)))
        expect(machine.committed() == [.recovered, .committed(through: 3)])
        expect(machine.ready() == .rest)
    }

    @Test("The pauses double from 0.1 to 2 seconds, and begin anew after a success")
    mutating func pauses() throws {
        _ = machine.submitted(StoreBatch(ticket: 1, changes: []))
        var pauses: [CommitQueueStateMachine.OnFailed.Next] = []
        for _ in 0..<8 {
            _ = machine.ready()
            pauses.append(machine.failed("full").next)
        }
        let expected = [100, 200, 400, 800, 1600, 2000, 2000, 2000]
        expect(pauses == expected.map { .retry(after: .milliseconds($0)) })
        _ = machine.ready()
        _ = machine.committed()
        _ = machine.submitted(StoreBatch(ticket: 2, changes: []))
        _ = machine.ready()
        expect(machine.failed("full").next == .retry(after: .milliseconds(100)))
    }

    @Test("A failure is reported again only if there is something new to say")
    mutating func tellsOnce() throws {
        _ = machine.submitted(StoreBatch(ticket: 1, changes: []))
        _ = machine.ready()
        expect(machine.failed("full").tell == .failing("full", through: 1))
        _ = machine.ready()
        expect(machine.failed("full").tell == nil)
        _ = machine.submitted(StoreBatch(ticket: 2, changes: []))
        _ = machine.ready()
        expect(machine.failed("full").tell == .failing("full", through: 2))
        _ = machine.ready()
        expect(machine.failed("broken").tell == .failing("broken", through: 2))
    }

    @Test("Reserved revisions are reported after the transaction that holds them")
    mutating func reserves() {
        expect(machine.reservationWanted(through: Revision(2000)) == .wake)
        expect(machine.ready() == .begin(work([], ticket: nil, reservation: Revision(2000))))
        expect(machine.committed() == [.reserved(through: Revision(2000))])
        expect(machine.ready() == .rest)
    }

    @Test("Revisions that are reserved or asked for are not asked for again, not after a failure either")
    mutating func reservesOnce() {
        expect(machine.reservationWanted(through: Revision(1000)) == .nothing)
        _ = machine.reservationWanted(through: Revision(2000))
        _ = machine.ready()
        _ = machine.failed("full")
        expect(machine.reservationWanted(through: Revision(2000)) == .nothing)
        expect(machine.ready() == .begin(work([], ticket: nil, reservation: Revision(2000))))
        _ = machine.committed()
        expect(machine.reservationWanted(through: Revision(2000)) == .nothing)
        expect(machine.ready() == .rest)
    }

    @Test("Closing ends a pause and gives up after a few attempts")
    mutating func closing() throws {
        _ = machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1")]))
        _ = machine.ready()
        _ = machine.failed("full")
        machine.closing()
        var outcomes: [CommitQueueStateMachine.OnFailed.Next] = []
        for _ in 0..<CommitQueueStateMachine.closingAttempts {
            expect(machine.ready() == .begin(work([try put("a", "1")], ticket: 1)))
            outcomes.append(machine.failed("full").next)
        }
        expect(outcomes == [100, 200, 400, 800].map { .retry(after: .milliseconds($0)) } + [.giveUp])
    }

    @Test("Closing takes nothing more into a transaction and waits for nobody")
    mutating func closingTransaction() throws {
        _ = machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1")], isFollowed: true))
        _ = machine.ready()
        _ = machine.submitted(StoreBatch(ticket: 2, changes: [try put("b", "1")]))
        machine.closing()
        expect(machine.written() == .commit)
    }

    @Test("Closing reserves no revisions that nobody will use")
    mutating func closingWithoutReservation() {
        _ = machine.reservationWanted(through: Revision(2000))
        machine.closing()
        expect(machine.ready() == .rest)
    }

    @Test("Batches after the end are not taken")
    mutating func ended() throws {
        machine.closing()
        machine.closed()
        expect(machine.submitted(StoreBatch(ticket: 1, changes: [try put("a", "1")])) == .nothing)
        expect(machine.reservationWanted(through: Revision(9999)) == .nothing)
        expect(machine.ready() == .rest)
    }

    struct Unexpected: Error {}
}
