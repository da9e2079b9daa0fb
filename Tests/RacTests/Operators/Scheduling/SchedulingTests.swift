import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

@Suite struct SchedulingTests {
    private let scheduler = ManualScheduler()
    private let s = Subject<Int, TestFailure>()

    @Test("C183 Delivery on a scheduler keeps the order, failures included")
    func deliver() {
        let a = Recorder(self.s.signal.deliver(on: self.scheduler))
        self.s.send(1)
        self.s.send(2)
        self.s.fail(.e)
        expect(a.events == events())
        self.scheduler.drain()
        expect(a.events == events(1, 2, then: .failed(.e)))
    }

    @Test("Each event is a piece of work, so signals on one scheduler keep their mutual order")
    func deliverOrder() {
        let (t, log) = (Subject<Int, Never>(), Log<Int>())
        self.s.signal.deliver(on: self.scheduler).observe(value: { log.append($0) }, end: { _ in })
        t.signal.deliver(on: self.scheduler).onValue { log.append($0) }
        self.s.send(1)
        t.send(2)
        self.s.send(3)
        self.scheduler.drain()
        expect(log.entries == [1, 2, 3])
    }

    @Test("Values that wait for a scheduler at disposal are dropped")
    func deliverDisposal() {
        let a = Recorder(self.s.signal.deliver(on: self.scheduler))
        self.s.send(1)
        self.s.send(2)
        self.scheduler.step()
        a.dispose()
        self.scheduler.drain()
        expect(a.events == events(1))
    }

    @Test("Delivery on the immediate scheduler is at once, and after a delivery in progress")
    func deliverImmediately() {
        let (s, log) = (Subject<Int, Never>(), Log<String>())
        s.signal.deliver(on: .immediate).onValue { value in
            log.append("in \(value)")
            if value < 3 { s.send(value + 1) }
            log.append("out")
        }
        s.send(1)
        expect(log.entries == ["in 1", "out", "in 2", "out", "in 3", "out"])
    }

    @Test("Events from several threads arrive on a serial scheduler one at a time and complete")
    func deliverSerial() async throws {
        let (s, serial) = (Subject<Int, TestFailure>(), SerialScheduler(label: "delivery"))
        let received = s.signal.deliver(on: serial).replayed()
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<250 { s.send(thread * 250 + number) }
        }
        s.complete()
        let values = try await received.toArray()
        expect(values.sorted() == Array(0..<1_000))
        for thread in 0..<4 {
            let own = values.filter { $0 / 250 == thread }
            expect(own == own.sorted())
        }
    }

    @Test("C185 Subscribing on a scheduler moves the side effects")
    func subscribe() {
        let runs = Counter()
        let signal = Signal<Int, Never> { sink in
            runs.increment()
            sink.send(1)
            sink.complete()
        }
        let a = Recorder(signal.subscribe(on: self.scheduler))
        expect(runs.count == 0)
        self.scheduler.drain()
        expect(a.events == events(1, then: .completed))
    }

    @Test("Disposal before the scheduler's turn keeps the body from running")
    func subscribeDisposal() {
        let source = CountedSource(self.s)
        Recorder(source.signal.subscribe(on: self.scheduler)).dispose()
        self.scheduler.drain()
        expect(source.runs.count == 0)
    }

    @Test("C195 A list on a scheduler arrives one value per turn")
    func list() {
        let a = Recorder(Signal<String, Never>(values: ["a", "b", "c"], on: self.scheduler))
        self.scheduler.step()
        expect(a.events == events("a"))
        self.scheduler.drain()
        expect(a.events == events("a", "b", "c", then: .completed))
    }

    @Test("Disposal between two turns stops a list")
    func listDisposal() {
        let a = Recorder(Signal<Int, Never>(values: 0..., on: self.scheduler))
        self.scheduler.step()
        a.dispose()
        self.scheduler.drain()
        expect(a.events == events(0))
    }

    @Test("C197 A list is computed no further than it is asked for")
    func laziness() {
        let calls = Counter()
        let signal = Signal<Int, Never>(values: [1, 2, 3]).map { value in
            calls.increment()
            return value * 2
        }
        expect(calls.count == 0)
        expect(Recorder(signal.take(1)).events == events(2, then: .completed))
        expect(calls.count == 1)
    }

    @Test("C199 A list on the immediate scheduler arrives whole")
    func listImmediately() {
        let a = Recorder(Signal<Int, Never>(values: [1, 2, 3], on: .immediate))
        expect(a.events == events(1, 2, 3, then: .completed))
    }

    @Test("Work that starts eagerly runs once, now; lazily once, with the first observer")
    func started() {
        let runs = Counter()
        let body: @Sendable (Sink<Int, Never>) -> Void = { sink in
            sink.send(runs.increment())
            sink.complete()
        }
        let eager = Signal.startedEagerly(on: self.scheduler, body)
        self.scheduler.drain()
        expect(runs.count == 1)
        for _ in 1...2 { expect(Recorder(eager).events == events(1, then: .completed)) }
        let lazy = Signal.startedLazily(on: self.scheduler, body)
        self.scheduler.drain()
        expect(runs.count == 1)
        let a = Recorder(lazy)
        self.scheduler.drain()
        expect(a.events == events(2, then: .completed))
        expect(Recorder(lazy).events == events(2, then: .completed))
    }

    @Test("Delivery on main is at once on the main thread")
    @MainActor
    func deliverOnMain() {
        let a = Recorder(self.s.signal.deliverOnMain())
        self.s.send(1)
        expect(a.events == events(1))
    }

    @Test("A value that another thread has sent to the main thread is not overtaken there")
    @MainActor
    func deliverOnMainOrder() async {
        let (s, log) = (Subject<Int, Never>(), Log<Int>())
        s.signal.deliverOnMain().onValue { value in
            #expect(SerialScheduler.main.isCurrent)
            log.append(value)
        }
        DispatchQueue.global().sync { s.send(1) }
        expect(log.entries == [])
        s.send(2)
        expect(log.entries == [])
        await withCheckedContinuation { continuation in
            SerialScheduler.main.schedule { continuation.resume() }
        }
        expect(log.entries == [1, 2])
    }
}
