import Expectations
import Rac
import RacTesting
import Testing

@Suite struct TimeTests {
    private typealias Ints = Signal<Int, TestFailure>
    private let clock = TestScheduler()
    private let s = Subject<Int, TestFailure>()

    /// Lets the clock show a number of seconds, running what is due until then.
    private func advance(to seconds: Int) {
        self.clock.advance(to: .seconds(seconds))
    }

    @Test("C110 Delay shifts values and completion")
    func delay() {
        let a = Recorder(self.s.signal.delay(by: .seconds(10), on: self.clock))
        self.s.send(1)
        self.advance(to: 5)
        expect(a.events == events())
        self.s.complete()
        self.advance(to: 10)
        expect(a.events == events(1))
        self.advance(to: 15)
        expect(a.events == events(1, then: .completed))
    }

    @Test("A failure overtakes delayed values")
    func delayFailure() {
        let a = Recorder(self.s.signal.delay(by: .seconds(10), on: self.clock))
        self.s.send(1)
        self.s.fail(.e)
        expect(a.events == events(then: .failed(.e)))
        expect(self.clock.scheduledCount == 0)
    }

    @Test("Delayed values keep their order and their distances")
    func delayOrder() {
        let (clock, log) = (self.clock, Log<String>())
        self.s.signal.delay(by: .seconds(10), on: clock).observe(
            value: { log.append("\($0)@\(clock.now.components.seconds)") },
            end: { _ in }
        )
        self.s.send(1)
        self.s.send(2)
        self.advance(to: 4)
        self.s.send(3)
        self.advance(to: 30)
        expect(log.entries == ["1@10", "2@10", "3@14"])
    }

    @Test("C112 Disposal cancels delayed values")
    func delayDisposal() {
        let a = Recorder(self.s.signal.delay(by: .seconds(10), on: self.clock))
        self.s.send(1)
        a.dispose()
        expect(self.clock.scheduledCount == 0)
        self.advance(to: 20)
        expect(a.events == events())
    }

    @Test("C113 Debounce passes a value on that silence has followed")
    func debounce() {
        let letters = Subject<String, Never>()
        let a = Recorder(letters.signal.debounce(for: .seconds(10), on: self.clock))
        letters.send("a")
        self.advance(to: 5)
        letters.send("b")
        self.advance(to: 10)
        expect(a.events == events())
        self.advance(to: 15)
        expect(a.events == events("b"))
        letters.send("c")
        self.advance(to: 25)
        expect(a.events == events("b", "c"))
    }

    @Test("C114 Completion flushes the value that debounce holds")
    func debounceCompletion() {
        let a = Recorder(self.s.signal.debounce(for: .seconds(10), on: self.clock))
        self.s.send(1)
        self.s.complete()
        expect(a.events == events(1, then: .completed))
        self.advance(to: 20)
        expect(a.events == events(1, then: .completed))
        expect(self.clock.scheduledCount == 0)
    }

    @Test("A failure and disposal drop the value that debounce holds")
    func debounceFailure() {
        let (a, b) = (
            Recorder(self.s.signal.debounce(for: .seconds(10), on: self.clock)),
            Recorder(self.s.signal.debounce(for: .seconds(10), on: self.clock))
        )
        self.s.send(1)
        b.dispose()
        self.s.fail(.e)
        expect(self.clock.scheduledCount == 0)
        expect(a.events == events(then: .failed(.e)))
        expect(b.events == events())
    }

    @Test("A value that debounce need not hold passes at once and drops the one that is held")
    func debounceSome() {
        let a = Recorder(self.s.signal.debounce(for: .seconds(10), on: self.clock) { $0 > 0 })
        self.s.send(1)
        self.s.send(0)
        expect(a.events == events(0))
        self.s.send(2)
        self.advance(to: 30)
        expect(a.events == events(0, 2))
    }

    @Test("Throttle passes the first value at once, then the newest of each interval")
    func throttle() {
        let a = Recorder(self.s.signal.throttle(for: .seconds(10), on: self.clock))
        for value in 1...3 { self.s.send(value) }
        expect(a.events == events(1))
        self.advance(to: 10)
        expect(a.events == events(1, 3))
        self.advance(to: 15)
        self.s.send(4)
        expect(a.events == events(1, 3))
        self.advance(to: 20)
        expect(a.events == events(1, 3, 4))
        self.advance(to: 40)
        self.s.send(5)
        expect(a.events == events(1, 3, 4, 5))
    }

    @Test("Completion flushes the value that throttle holds, a failure drops it")
    func throttleEnd() {
        let a = Recorder(self.s.signal.throttle(for: .seconds(10), on: self.clock))
        self.s.send(1)
        self.s.send(2)
        let b = Recorder(self.s.signal.catch(to: Ints.empty).throttle(for: .seconds(10), on: self.clock))
        self.s.send(3)
        self.s.send(4)
        self.s.fail(.e)
        expect(a.events == events(1, then: .failed(.e)))
        expect(b.events == events(3, 4, then: .completed))
        expect(self.clock.scheduledCount == 0)
    }

    @Test("C118 A window begins with its first value")
    func collectEvery() {
        let a = Recorder(self.s.signal.collect(every: .seconds(10), on: self.clock))
        self.s.send(1)
        self.advance(to: 5)
        self.s.send(2)
        self.advance(to: 10)
        expect(a.events == events([1, 2]))
        self.advance(to: 40)
        self.s.send(3)
        self.advance(to: 50)
        expect(a.events == events([1, 2], [3]))
    }

    @Test("C119 Completion flushes a partial window")
    func collectEveryCompletion() {
        let a = Recorder(self.s.signal.collect(every: .seconds(10), on: self.clock))
        self.s.send(1)
        self.s.complete()
        self.advance(to: 20)
        expect(a.events == events([1], then: .completed))
    }

    @Test("C120 A failure drops a partial window")
    func collectEveryFailure() {
        let a = Recorder(self.s.signal.collect(every: .seconds(10), on: self.clock))
        self.s.send(1)
        self.s.fail(.e)
        self.advance(to: 20)
        expect(a.events == events(then: .failed(.e)))
    }

    @Test("C406 A full window is passed on at once, and the next value begins another")
    func collectEveryAtMost() {
        let a = Recorder(self.s.signal.collect(every: .seconds(10), atMost: 2, on: self.clock))
        self.s.send(1)
        self.advance(to: 5)
        self.s.send(2)
        expect(a.events == events([1, 2]))
        expect(self.clock.scheduledCount == 0)
        self.advance(to: 8)
        self.s.send(3)
        self.advance(to: 17)
        expect(a.events == events([1, 2]))
        self.advance(to: 18)
        expect(a.events == events([1, 2], [3]))
    }

    @Test("C122 Finishing in time stops the timeout")
    func timeoutInTime() {
        let a = Recorder(self.s.signal.timeout(after: .seconds(10), failingWith: .bad, on: self.clock))
        self.s.send(1)
        self.s.complete()
        expect(self.clock.scheduledCount == 0)
        self.advance(to: 50)
        expect(a.events == events(1, then: .completed))
    }

    @Test("A timeout measures the whole life and cancels the source")
    func timeout() {
        let source = CountedSource(self.s)
        let a = Recorder(source.signal.timeout(after: .seconds(10), failingWith: .bad, on: self.clock))
        self.advance(to: 9)
        self.s.send(1)
        self.advance(to: 10)
        expect(a.events == events(1, then: .failed(.bad)))
        expect(source.subscribers == 0)
    }

    @Test("C123 An interval ticks first after one period, and take stops it")
    func interval() {
        let ticks = Signal<Duration, Never>.interval(every: .seconds(10), on: self.clock)
        let a = Recorder(ticks.map(to: "tick").take(3))
        expect(a.events == events())
        self.advance(to: 10)
        expect(a.events == events("tick"))
        self.advance(to: 110)
        expect(a.events == events("tick", "tick", "tick", then: .completed))
        expect(self.clock.scheduledCount == 0)
    }

    @Test("An interval sends the time")
    func intervalTime() {
        let a = Recorder(Signal<Duration, Never>.interval(every: .seconds(10), on: self.clock))
        self.advance(to: 25)
        expect(a.events == events(.seconds(10), .seconds(20)))
        a.dispose()
        expect(self.clock.scheduledCount == 0)
    }

    @Test("Operators that take time hold on to nothing once they are over")
    func noCycle() {
        weak var witness: Log<Int>?
        do {
            let (source, log) = (Subject<Int, Never>(), Log<Int>())
            witness = log
            source.signal
                .delay(by: .seconds(1), on: self.clock)
                .debounce(for: .seconds(1), on: self.clock)
                .throttle(for: .seconds(1), on: self.clock)
                .collect(every: .seconds(1), on: self.clock)
                .onValue { for value in $0 { log.append(value) } }
            source.send(1)
            self.clock.run()
            expect(log.entries == [1])
        }
        #expect(witness == nil)
    }
}
