import Expectations
import Rac
import RacTesting
import Testing

@Suite struct TestSchedulerTests {
    private let scheduler = TestScheduler()
    private let log = Log<String>()

    private func note(_ entry: String) -> @Sendable () -> Void {
        { [log] in log.append(entry) }
    }

    @Test("C173 Work of the present moment runs one step at a time, in order")
    func steps() {
        self.scheduler.schedule(self.note("1"))
        self.scheduler.schedule(self.note("2"))
        expect(self.log.entries == [])
        self.scheduler.step()
        expect(self.log.entries == ["1"])
        #expect(self.scheduler.step())
        expect(self.log.entries == ["1", "2"])
        #expect(!self.scheduler.step())
    }

    @Test("C174 Work runs by due time, not by order of scheduling")
    func dueTime() {
        self.scheduler.schedule(after: .seconds(100), self.note("late"))
        self.scheduler.schedule(after: .seconds(50), self.note("early"))
        self.scheduler.advance(by: .seconds(200))
        expect(self.log.entries == ["early", "late"])
        expect(self.scheduler.now == .seconds(200))
    }

    @Test("Work due at the same time runs in the order it was scheduled (scheduler-7)")
    func ties() {
        for number in 1...20 { self.scheduler.schedule(after: .seconds(1), self.note("\(number)")) }
        self.scheduler.advance(by: .seconds(1))
        expect(self.log.entries == (1...20).map { "\($0)" })
    }

    @Test("C176 Work that is cancelled before its start never runs")
    func cancel() {
        let first = self.scheduler.schedule(self.note("1"))
        self.scheduler.schedule(self.note("2"))
        first.dispose()
        expect(self.scheduler.scheduledCount == 1)
        self.scheduler.advance(by: .zero)
        expect(self.log.entries == ["2"])
    }

    @Test("C177 Work scheduled from work goes to the back")
    func fromWork() {
        let (scheduler, log) = (self.scheduler, self.log)
        let c = self.note("c")
        scheduler.schedule {
            log.append("a")
            scheduler.schedule(c)
        }
        scheduler.schedule(self.note("b"))
        scheduler.advance(by: .zero)
        expect(log.entries == ["a", "b", "c"])
    }

    @Test("Repeating work runs at its dates until its handle is disposed")
    func repeating() {
        let (scheduler, log) = (self.scheduler, self.log)
        let x = scheduler.schedule(after: .seconds(20), repeatingEvery: .seconds(5)) {
            log.append("X\(scheduler.now.components.seconds)")
        }
        scheduler.schedule(after: .seconds(22), repeatingEvery: .seconds(10)) {
            log.append("Y\(scheduler.now.components.seconds)")
        }
        for _ in 1...5 { scheduler.step() }
        expect(log.entries == ["X20", "Y22", "X25", "X30", "Y32"])
        x.dispose()
        scheduler.advance(to: .seconds(42))
        expect(log.entries.last == "Y42")
        expect(scheduler.scheduledCount == 1)
    }

    @Test("Repeating work may stop itself")
    func stopsItself() {
        let (handle, log) = (SerialDisposable(), self.log)
        handle.inner = self.scheduler.schedule(after: .seconds(1), repeatingEvery: .seconds(1)) {
            log.append("tick")
            handle.dispose()
        }
        self.scheduler.run()
        expect(log.entries == ["tick"])
        expect(self.scheduler.scheduledCount == 0)
    }

    @Test("However work is entered and cancelled, it runs in order of time")
    func randomOrder() {
        var random = SplitMix(seed: 7)
        let times = Log<Duration>()
        let scheduler = self.scheduler
        for _ in 0..<500 {
            let handle = scheduler.schedule(after: .seconds(Int.random(in: 0..<100, using: &random))) {
                times.append(scheduler.now)
            }
            if Bool.random(using: &random) { handle.dispose() }
        }
        let scheduled = scheduler.scheduledCount
        scheduler.run()
        expect(times.entries.count == scheduled)
        expect(times.entries == times.entries.sorted())
    }
}

/// A generator whose numbers follow from its seed.
private struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
