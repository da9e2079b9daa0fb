import Expectations
import Rac
import RacTesting
import Testing

@Suite struct SchedulerTests {
    @Test("C179 Recursive work on the immediate scheduler runs after the caller, not inside it")
    func recursion() {
        let (runs, log) = (Counter(), Log<String>())
        ImmediateScheduler().scheduleRecursively { again in
            let number = runs.increment()
            guard number < 3 else { return }
            again()
            log.append("\(number):\(runs.count)")
        }
        expect(runs.count == 3)
        expect(log.entries == ["1:1", "2:2"])
    }

    @Test("C180 Deep recursion does not use the stack")
    func deepRecursion() {
        let runs = Counter()
        ImmediateScheduler().scheduleRecursively { again in
            if runs.increment() < 100_000 { again() }
        }
        expect(runs.count == 100_000)
    }

    @Test("Recursive work stops when its handle is disposed, and may be asked for later")
    func recursionLater() {
        let (scheduler, runs, requests) = (ManualScheduler(), Counter(), Log<@Sendable () -> Void>())
        let handle = scheduler.scheduleRecursively { again in
            runs.increment()
            requests.append(again)
        }
        scheduler.drain()
        expect(runs.count == 1)
        requests.entries[0]()
        scheduler.drain()
        expect(runs.count == 2)
        requests.entries[0]()
        handle.dispose()
        requests.entries[0]()
        scheduler.drain()
        expect(runs.count == 2)
    }

    @Test("C182 A queueing scheduler never runs work inside the call that schedules it")
    func notInside() {
        let (scheduler, log) = (ManualScheduler(), Log<String>())
        scheduler.schedule {
            scheduler.schedule { log.append("inner") }
            log.append("outer")
        }
        log.append("caller")
        scheduler.drain()
        expect(log.entries == ["caller", "outer", "inner"])
    }

    @Test("C182 The main scheduler never runs work inside the call that schedules it")
    @MainActor
    func mainNotInside() async {
        let log = Log<String>()
        await withCheckedContinuation { continuation in
            SerialScheduler.main.schedule {
                SerialScheduler.main.schedule {
                    log.append("inner")
                    continuation.resume()
                }
                log.append("outer")
            }
            log.append("caller")
        }
        expect(log.entries == ["caller", "outer", "inner"])
    }

    @Test("The immediate scheduler runs work inside the call that schedules it")
    func immediate() {
        let log = Log<String>()
        let handle = ImmediateScheduler().schedule { log.append("in") }
        log.append("after")
        expect(log.entries == ["in", "after"])
        #expect(handle.isDisposed)
    }

    @Test("C187 A serial scheduler runs one piece of work at a time, first in first out")
    func serial() async {
        let (scheduler, log, running) = (SerialScheduler(label: "C187"), Log<Int>(), Counter())
        await withCheckedContinuation { continuation in
            for number in 0..<1_000 {
                scheduler.schedule {
                    expect(running.increment() == 1)
                    log.append(number)
                    running.decrement()
                }
            }
            scheduler.schedule { continuation.resume() }
        }
        expect(log.entries == Array(0..<1_000))
    }

    @Test("Work on a serial scheduler that is disposed before its start never runs")
    func serialCancel() async {
        let (scheduler, runs) = (SerialScheduler(label: "cancel"), Counter())
        await withCheckedContinuation { continuation in
            scheduler.schedule {
                scheduler.schedule { runs.increment() }.dispose()
                scheduler.schedule(after: .milliseconds(1)) { runs.increment() }.dispose()
                scheduler.schedule(after: .milliseconds(2)) { continuation.resume() }
            }
        }
        expect(runs.count == 0)
    }

    @Test("Work that a serial scheduler repeats goes on without its handle and stops when that is disposed")
    func serialRepeating() async {
        let (scheduler, runs, handle) = (SerialScheduler(label: "repeat"), Counter(), SerialDisposable())
        let started = scheduler.now
        await withCheckedContinuation { continuation in
            handle.inner = scheduler.schedule(after: .milliseconds(1), repeatingEvery: .milliseconds(1)) {
                if runs.increment() == 3 {
                    handle.dispose()
                    continuation.resume()
                }
            }
        }
        #expect(handle.isDisposed)
        #expect(scheduler.now - started >= .milliseconds(3))
    }
}
