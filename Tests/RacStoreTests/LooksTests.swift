import Expectations
import RacProtocol
import RacStore
import Testing

@Suite struct LooksTests {
    var looks = Looks()

    @Test("A quick commit is followed by a look, a slow one is not")
    mutating func times() {
        let times = [.zero, Looks.longestCommit, Looks.longestCommit + .microseconds(1)]
        let begins = times.map { self.looks.begins(after: $0) }
        expect(begins == [true, true, false])
    }

    /// Counts quick commits without a look until one is followed by a look, which ends as the arguments say.
    private mutating func skipped(found: Bool, longestPause: Duration = .zero) -> Int {
        var count = 0
        while !looks.begins(after: .zero) { count += 1 }
        looks.ended(found: found, longestPause: longestPause)
        return count
    }

    @Test("While nothing comes fewer and fewer commits are followed by a look, and all are again after a change")
    mutating func inVain() {
        let skipped = (0..<9).map { _ in self.skipped(found: false) }
        expect(skipped == [0, 1, 3, 7, 15, 31, 63, 63, 63])
        expect(self.skipped(found: true) == 63)
        expect(self.skipped(found: true) == 0)
    }

    @Test("When others want the core, few commits are followed by a look, whatever comes")
    mutating func others() {
        expect(self.skipped(found: true, longestPause: Looks.longestPause) == 0)
        expect(self.skipped(found: true, longestPause: Looks.longestPause + .microseconds(1)) == 0)
        expect(self.skipped(found: true) == Backoff.most)
        expect(self.skipped(found: true) == 0)
    }
}

@Suite struct LookingThreadTests {
    var machine = CommitQueueStateMachine(reserved: Revision(1000), batches: .parts(of: 16))

    private func batch(_ ticket: UInt64, awaited: Bool = true) throws -> StoreBatch {
        StoreBatch(ticket: ticket, changes: [.put(try .sample("a", "\(ticket)"))], isAwaited: awaited)
    }

    private func committed(_ action: CommitQueueStateMachine.OnReady) -> UInt64? {
        if case .begin(let work) = action { work.ticket } else { nil }
    }

    /// Brings the machine into the state in which a change has just been stored, and the queue is empty.
    private mutating func commit(_ ticket: UInt64, awaited: Bool = true, after time: Duration = .zero) throws {
        _ = machine.submitted(try batch(ticket, awaited: awaited))
        expect(committed(machine.ready()) == ticket)
        expect(machine.committed(after: time) == [.committed(through: ticket)])
    }

    @Test("The thread looks for more behind a commit that clients waited for, and what comes then needs no wake")
    mutating func found() throws {
        try self.commit(1)
        for ticket in 2...4 as ClosedRange<UInt64> {
            expect(machine.ready() == .look(Looks.time))
            #expect(machine.isLooking)
            expect(machine.submitted(try batch(ticket)) == .nothing)
            #expect(!machine.isLooking)
            expect(committed(machine.ready()) == ticket)
            expect(machine.committed() == [.committed(through: ticket)])
        }
    }

    @Test("If nothing comes the thread rests and must be woken, and does not look again behind the next commit")
    mutating func inVain() throws {
        try self.commit(1)
        expect(machine.ready() == .look(Looks.time))
        expect(machine.ready() == .rest)
        #expect(!machine.isLooking)
        expect(machine.submitted(try batch(2)) == .wake)
        expect(committed(machine.ready()) == 2)
        _ = machine.committed()
        expect(machine.ready() == .rest)
    }

    @Test("A batch that nobody waits for does not end the look, and gathers behind it")
    mutating func unawaited() throws {
        try self.commit(1)
        expect(machine.ready() == .look(Looks.time))
        expect(machine.submitted(try batch(2, awaited: false)) == .nothing)
        #expect(machine.isLooking)
        expect(machine.ready() == .restUntil(after: CommitQueueStateMachine.gatheringTime))
        expect(committed(machine.ready()) == 2)
    }

    @Test("When others had the core, what was found is committed, and the next commits are not followed by a look")
    mutating func others() throws {
        try self.commit(1)
        expect(machine.ready() == .look(Looks.time))
        _ = machine.submitted(try batch(2))
        expect(committed(machine.ready(longestPause: .milliseconds(4))) == 2)
        _ = machine.committed()
        expect(machine.ready() == .rest)
    }

    @Test(
        "The thread does not look behind a commit that nobody waited for, behind a slow one, or when the store closes"
    )
    mutating func rests() throws {
        try self.commit(1, awaited: false)
        expect(machine.ready() == .rest)
        try self.commit(2, after: Looks.longestCommit * 2)
        expect(machine.ready() == .rest)
        try self.commit(3)
        machine.closing()
        expect(machine.ready() == .rest)
    }

    @Test("A store that closes while the thread looks commits what has come")
    mutating func closes() throws {
        try self.commit(1)
        expect(machine.ready() == .look(Looks.time))
        _ = machine.submitted(try batch(2, awaited: false))
        machine.closing()
        #expect(!machine.isLooking)
        expect(committed(machine.ready()) == 2)
    }
}
