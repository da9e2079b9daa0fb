import Expectations
import Rac
import RacTesting
import Testing

@Suite struct SignalTests {
    @Test("C001 A body runs once per subscription")
    func bodyPerSubscription() {
        let runs = Counter()
        let signal = Signal<Int, Never> { sink in
            sink.send(runs.increment())
            sink.complete()
        }
        expect(runs.count == 0)
        expect(Recorder(signal).events == events(1, then: .completed))
        expect(Recorder(signal).events == events(2, then: .completed))
        expect(runs.count == 2)
    }

    @Test("C002 Nothing comes after completion")
    func nothingAfterCompletion() {
        let signal = Signal<Int, TestFailure> { sink in
            sink.send(1)
            sink.complete()
            sink.send(2)
            sink.fail(.e)
        }
        expect(Recorder(signal).events == events(1, then: .completed))
    }

    @Test("C003 Nothing comes after a failure")
    func nothingAfterFailure() {
        let signal = Signal<Int, TestFailure> { sink in
            sink.send(1)
            sink.fail(.e)
            sink.send(2)
            sink.complete()
        }
        expect(Recorder(signal).events == events(1, then: .failed(.e)))
    }

    @Test("C004 Disposal silences the observer and tears down once")
    func disposal() {
        let (box, teardowns) = (SinkBox<Int, Never>(), Counter())
        let signal = Signal<Int, Never> { sink in
            sink.send(0)
            box.signal.observe(into: sink)
            return AnyDisposable { teardowns.increment() }
        }
        let a = Recorder(signal)
        a.dispose()
        for sink in box.sinks {
            sink.send(1)
            sink.complete()
        }
        a.dispose()
        expect(a.events == events(0))
        expect(teardowns.count == 1)
        expect(box.teardowns.count == 1)
    }

    @Test("C005 The end runs the teardown, once")
    func endTearsDown() {
        let box = SinkBox<Int, Never>()
        let a = Recorder(box)
        box.sinks[0].complete()
        expect(box.teardowns.count == 1)
        a.dispose()
        expect(box.teardowns.count == 1)
        expect(a.events == events(then: .completed))
    }

    @Test("C007 The four constant signals send what their names say")
    func constants() {
        expect(Recorder(Signal<Int, TestFailure>.empty).events == events(then: .completed))
        expect(Recorder(Signal<Int, TestFailure>.never).events == events())
        expect(Recorder(Signal<Int, TestFailure>.just(7)).events == events(7, then: .completed))
        expect(Recorder(Signal<Int, TestFailure>.fail(.e)).events == events(then: .failed(.e)))
    }

    @Test("C009 Subscriptions are independent")
    func independence() {
        let box = SinkBox<Int, Never>()
        let (a, b) = (Recorder(box), Recorder(box))
        a.dispose()
        for sink in box.sinks { sink.send(5) }
        expect(a.events == events())
        expect(b.events == events(5))
    }

    @Test("C011 A deferred signal's factory runs per subscription")
    func deferred() {
        let runs = Counter()
        let signal = Signal<Int, Never>.deferred { .just(runs.increment()) }
        expect(runs.count == 0)
        expect(Recorder(signal).events == events(1, then: .completed))
        expect(Recorder(signal).events == events(2, then: .completed))
    }

    @Test("A teardown that is returned after the end runs at once")
    func lateTeardown() {
        let teardowns = Counter()
        let signal = Signal<Int, Never> { sink in
            sink.complete()
            return AnyDisposable { teardowns.increment() }
        }
        signal.observe { _ in }
        expect(teardowns.count == 1)
    }

    @Test("The end is delivered before the teardown runs, and disposes the handle")
    func endBeforeTeardown() {
        let (log, box) = (Log<String>(), SinkBox<Int, Never>())
        let signal = Signal<Int, Never> { sink in
            box.signal.observe(into: sink)
            return AnyDisposable { log.append("teardown") }
        }
        let handle = signal.observe(value: { _ in }, end: { _ in log.append("done") })
        #expect(!handle.isDisposed)
        for sink in box.sinks { sink.complete() }
        expect(log.entries == ["done", "teardown"])
        #expect(handle.isDisposed)
    }

    @Test("A subscription whose sink nobody holds any more is torn down silently")
    func droppedSink() {
        let teardowns = Counter()
        let signal = Signal<Int, Never> { _ in AnyDisposable { teardowns.increment() } }
        let a = Recorder(signal.map { $0 })
        expect(a.events == events())
        #expect(a.isDisposed)
        expect(teardowns.count == 1)
    }

    @Test("Values sent into a sink from inside a delivery are delivered after it")
    func reentrantSink() {
        let (box, seen) = (SinkBox<Int, Never>(), Log<String>())
        box.signal.onValue { value in
            seen.append("in \(value)")
            if value < 3 { box.sinks[0].send(value + 1) }
            seen.append("out \(value)")
        }
        box.sinks[0].send(1)
        expect(seen.entries == ["in 1", "out 1", "in 2", "out 2", "in 3", "out 3"])
    }

    @Test("Observing into a sink does not end it when the source goes silent")
    func observeInto() {
        let box = SinkBox<Int, Never>()
        let signal = Signal<Int, Never> { sink in
            Signal.never.observe(into: sink)
            box.signal.observe(into: sink)
        }
        let a = Recorder(signal)
        box.sinks[0].send(1)
        box.sinks[0].complete()
        expect(a.events == events(1, then: .completed))
    }

    @Test("A pipeline lives without its handle, and is released when its source can speak no more")
    func noCycle() {
        weak var witness: Log<Int>?
        let handle: Subscription
        do {
            let (source, log) = (Subject<Int, Never>(), Log<Int>())
            witness = log
            handle = source.signal.map { $0 + 1 }.concat(source.signal).onValue { log.append($0) }
            source.send(1)
            expect(log.entries == [2])
            #expect(!handle.isDisposed)
        }
        #expect(handle.isDisposed)
        #expect(witness == nil)
    }
}
