import Expectations
import RacProtocol
import RacStore
import Testing

/// The order of a commit's steps, without a thread, a clock or a disk.
@Suite struct CommitDriverTests {
    typealias Work = CommitDriver.Work

    var driver = CommitDriver(reserved: Revision(1000), batches: .parts(of: 16))

    private func work(_ batch: StoreBatch) -> Work {
        Work(
            changes: Dictionary(uniqueKeysWithValues: batch.changes.map { ($0.number, $0) }),
            ticket: batch.ticket,
            isAwaited: batch.isAwaited
        )
    }

    @Test("A commit is written, committed, and reported before the thread begins with the next one")
    mutating func order() throws {
        let (first, second) = (try StoreBatch.sample(1, "a"), try StoreBatch.sample(2, "b", awaited: false))
        expect(driver.submitted(first) == .wake)
        expect(driver.woken(at: .zero, by: driver.newestWake) == .begin(work(first)))
        expect(driver.done(at: .milliseconds(1)) == .commit)
        expect(driver.submitted(second) == .nothing)
        expect(driver.done(at: .milliseconds(3)) == .report([.committed(through: 1)]))
        expect(driver.done(at: .milliseconds(3)) == .rest(.pause(CommitQueueStateMachine.gatheringTime)))
        expect(driver.woken(at: .milliseconds(53), by: driver.newestWake) == .begin(work(second)))
        expect(driver.done(at: .milliseconds(54)) == .commit)
        expect(driver.done(at: .milliseconds(55)) == .report([.committed(through: 2)]))
        expect(driver.done(at: .milliseconds(55)) == .rest(.untilWoken))
    }

    @Test("The parts of a tick are written to one transaction, for whose rest the thread spins")
    mutating func parts() throws {
        let (part, rest) = (try StoreBatch.sample(1, "a", followed: true), try StoreBatch.sample(2, "b"))
        _ = driver.submitted(part)
        expect(driver.woken(at: .zero, by: driver.newestWake) == .begin(work(part)))
        expect(driver.done(at: .microseconds(10)) == .spin(Looks.time))
        #expect(driver.isLooking)
        expect(driver.submitted(rest) == .nothing)
        #expect(!driver.isLooking)
        expect(driver.done(at: .microseconds(20)) == .write(work(rest)))
        expect(driver.done(at: .microseconds(30)) == .commit)
        expect(driver.done(at: .microseconds(40)) == .report([.committed(through: 2)]))
    }

    @Test("The time that a transaction waits for more does not count as the disk's time")
    mutating func waits() throws {
        _ = driver.submitted(try .sample(1, "a", followed: true))
        _ = driver.woken(at: .zero, by: driver.newestWake)
        expect(driver.done(at: .microseconds(10)) == .spin(Looks.time))
        expect(driver.done(at: .seconds(1)) == .commit)
        // A commit that took the disk as long would not be followed by a spin.
        expect(driver.done(at: .seconds(1)) == .report([.committed(through: 1)]))
        expect(driver.done(at: .seconds(1)) == .spin(Looks.time))
        expect(driver.done(at: .seconds(1), longestPause: .zero) == .rest(.untilWoken))
    }

    @Test("On a slow disk a transaction waits for the clients that the last one has answered")
    mutating func others() throws {
        _ = driver.submitted(try .sample(1, "a", "b"))
        _ = driver.woken(at: .zero, by: driver.newestWake)
        expect(driver.done(at: .milliseconds(1)) == .commit)
        _ = driver.submitted(try .sample(2, "c"))
        expect(driver.done(at: .milliseconds(4)) == .report([.committed(through: 1)]))
        guard case .begin = driver.done(at: .milliseconds(4)) else { throw Unexpected() }
        expect(driver.done(at: .milliseconds(4)) == .waitForOthers(.milliseconds(1)))
        expect(driver.submitted(try .sample(3, "a", "b")) == .complete)
        guard case .write = driver.done(at: .milliseconds(5)) else { throw Unexpected() }
        expect(driver.done(at: .milliseconds(5)) == .commit)
    }

    @Test("A failure is reported, then comes a pause that grows, and the recovery is reported before the commit")
    mutating func fails() throws {
        let batch = try StoreBatch.sample(1, "a")
        _ = driver.submitted(batch)
        _ = driver.woken(at: .zero, by: driver.newestWake)
        expect(driver.failed("full") == .report([.failing("full", through: 1)]))
        expect(driver.done(at: .zero) == .rest(.pause(.milliseconds(100))))
        expect(driver.woken(at: .milliseconds(100), by: driver.newestWake) == .begin(work(batch)))
        expect(driver.done(at: .milliseconds(100)) == .commit)
        // The failure is known: only the pause follows.
        expect(driver.failed("full") == .rest(.pause(.milliseconds(200))))
        _ = driver.woken(at: .milliseconds(300), by: driver.newestWake)
        _ = driver.done(at: .milliseconds(300))
        expect(driver.done(at: .milliseconds(300)) == .report([.recovered, .committed(through: 1)]))
    }

    @Test("A wake that comes too late, while a transaction is under way, changes nothing")
    mutating func lateWake() throws {
        let batch = try StoreBatch.sample(1, "a")
        _ = driver.submitted(batch)
        expect(driver.woken(at: .zero, by: driver.newestWake) == .begin(work(batch)))
        expect(driver.woken(at: .zero, by: driver.newestWake) == .rest(.untilWoken))
        expect(driver.done(at: .zero) == .commit)
        expect(driver.woken(at: .zero, by: driver.newestWake) == .rest(.untilWoken))
        expect(driver.done(at: .zero) == .report([.committed(through: 1)]))
    }

    @Test("A store that closes stores what it has, and gives up after a few attempts")
    mutating func closes() throws {
        _ = driver.submitted(try .sample(1, "a", awaited: false))
        driver.closing()
        for _ in 1..<CommitQueueStateMachine.closingAttempts {
            guard case .begin = driver.woken(at: .zero, by: driver.newestWake) else { throw Unexpected() }
            let step = driver.failed("full")
            guard case .rest(.pause) = step == .report([.failing("full", through: 1)]) ? driver.done(at: .zero) : step
            else { throw Unexpected() }
        }
        guard case .begin = driver.woken(at: .zero, by: driver.newestWake) else { throw Unexpected() }
        expect(driver.failed("full") == .rest(.givenUp))
        driver.closed()
        expect(driver.submitted(try .sample(2, "a")) == .nothing)
        expect(driver.woken(at: .zero, by: driver.newestWake) == .rest(.untilWoken))
    }

    @Test("A timer from before a failure, or a wake from before it, does not end the pause behind the failure")
    mutating func earlierTimer() throws {
        let gathering = driver.submitted(try StoreBatch.sample(1, "a", awaited: false))
        expect(gathering == .wakeLater(after: CommitQueueStateMachine.gatheringTime))
        let timer = driver.newestWake
        expect(driver.submitted(try StoreBatch.sample(2, "b")) == .wake)
        let wake = driver.newestWake
        guard case .begin = driver.woken(at: .zero, by: wake) else { throw Unexpected() }
        _ = driver.failed("full")
        expect(driver.done(at: .zero) == .rest(.pause(.milliseconds(100))))
        for earlier in [timer, wake] {
            expect(driver.woken(at: .milliseconds(50), by: earlier) == .rest(.untilWoken))
        }
        guard case .begin = driver.woken(at: .milliseconds(100), by: driver.newestWake) else { throw Unexpected() }
    }

    struct Unexpected: Error {}
}
