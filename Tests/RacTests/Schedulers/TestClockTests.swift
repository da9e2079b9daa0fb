import Expectations
import Rac
import RacTesting
import Testing

@Suite struct TestClockTests {
    private let scheduler = TestScheduler()

    /// Code under test: it notes virtual time every ten seconds, and knows no scheduler.
    private static func note(times count: Int, in log: Log<Int>, on clock: some Clock<Duration>) async throws {
        for number in 1...count {
            try await clock.sleep(for: .seconds(10))
            log.append(number)
        }
    }

    @Test("C450 A task that sleeps goes on when the clock is advanced to that moment")
    func sleep() async throws {
        let (scheduler, log) = (self.scheduler, Log<Int>())
        let task = Task { try await Self.note(times: 2, in: log, on: scheduler.clock) }
        await scheduler.waitUntilScheduled()
        scheduler.advance(by: .seconds(9))
        expect(log.entries == [])
        expect(scheduler.scheduledCount == 1)
        scheduler.advance(by: .seconds(1))
        await scheduler.waitUntilScheduled()
        expect(log.entries == [1])
        scheduler.advance(by: .seconds(10))
        try await task.value
        expect(log.entries == [1, 2])
        expect(scheduler.clock.now == TestClock.Instant(offset: .seconds(20)))
    }

    @Test("C451 A sleep that is cancelled ends at once and is no longer scheduled")
    func cancelled() async {
        let scheduler = self.scheduler
        let task = Task { try await Task.sleep(for: .seconds(1), clock: scheduler.clock) }
        await scheduler.waitUntilScheduled()
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        expect(scheduler.scheduledCount == 0)
    }

    @Test("A sleep until a moment that has come needs no advance, unless the task is cancelled")
    func past() async throws {
        let clock = self.scheduler.clock
        self.scheduler.advance(by: .seconds(5))
        try await clock.sleep(until: clock.now, tolerance: nil)
        try await clock.sleep(until: TestClock.Instant(offset: .seconds(1)), tolerance: nil)
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            try await clock.sleep(until: clock.now, tolerance: nil)
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("Sleeps end by their moments, not in the order of their beginnings")
    func order() async {
        let (scheduler, woken) = (self.scheduler, ReplaySubject<Int, Never>())
        let tasks = [3, 1, 2].map { seconds in
            Task {
                try await scheduler.clock.sleep(for: .seconds(seconds))
                woken.send(seconds)
            }
        }
        await scheduler.waitUntilScheduled(3)
        for seconds in 1...3 {
            scheduler.advance(to: .seconds(seconds))
            expect(await woken.signal.take(seconds).last() == seconds)
        }
        for task in tasks { _ = await task.result }
    }

    @Test("A measured duration is virtual")
    func measure() async throws {
        let scheduler = self.scheduler
        let task = Task { try await scheduler.clock.measure { try await scheduler.clock.sleep(for: .seconds(60)) } }
        await scheduler.waitUntilScheduled()
        scheduler.advance(by: .seconds(60))
        expect(try await task.value == .seconds(60))
    }

    @Test("Waiting for scheduled work ends when there is enough, or when the task is cancelled")
    func waiting() async {
        let scheduler = self.scheduler
        scheduler.schedule {}
        await scheduler.waitUntilScheduled(1)
        let enough = Task { await scheduler.waitUntilScheduled(2) }
        scheduler.schedule {}
        await enough.value
        let cancelled = Task { await scheduler.waitUntilScheduled(3) }
        cancelled.cancel()
        await cancelled.value
        expect(scheduler.scheduledCount == 2)
    }

    @Test("Operators and sleeping tasks share one virtual time")
    func together() async throws {
        let (scheduler, typed) = (self.scheduler, Subject<String, Never>())
        let a = Recorder(typed.signal.debounce(for: .seconds(1), on: scheduler))
        typed.send("rac")
        let task = Task { try await scheduler.clock.sleep(for: .seconds(2)) }
        await scheduler.waitUntilScheduled(2)
        scheduler.advance(by: .seconds(2))
        try await task.value
        expect(a.values == ["rac"])
    }
}
