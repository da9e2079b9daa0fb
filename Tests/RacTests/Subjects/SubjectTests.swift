import Expectations
import Rac
import RacTesting
import Testing

@Suite struct SubjectTests {
    private let subject = Subject<Int, TestFailure>()

    @Test("C124 All observers hear each event, in order of subscription")
    func order() {
        let log = Log<String>()
        for name in ["A", "B"] {
            self.subject.observe(value: { log.append("\(name):\($0)") }, end: { _ in log.append("\(name):done") })
        }
        self.subject.send(1)
        self.subject.complete()
        expect(log.entries == ["A:1", "B:1", "A:done", "B:done"])
    }

    @Test("C125 A late observer hears only the future")
    func late() {
        let a = Recorder(self.subject)
        self.subject.send(1)
        let b = Recorder(self.subject)
        self.subject.send(2)
        expect(a.events == events(1, 2))
        expect(b.events == events(2))
    }

    @Test("C126 An observer may dispose itself while handling a value")
    func selfDisposal() {
        let (handle, seen) = (SerialDisposable(), Log<Int>())
        handle.inner = self.subject.observe(
            value: {
                seen.append($0)
                handle.dispose()
            },
            end: { _ in }
        )
        let b = Recorder(self.subject)
        self.subject.send(1)
        self.subject.send(2)
        expect(seen.entries == [1])
        expect(b.events == events(1, 2))
    }

    @Test("An observer that is disposed during a delivery does not get that event any more")
    func disposalOfAnother() {
        let b = Recorder<Int, TestFailure>()
        self.subject.observe { _ in b.dispose() }
        b.observe(self.subject)
        self.subject.send(1)
        expect(b.events == events())
    }

    @Test("An observer that comes during a delivery starts with the next event")
    func newcomer() {
        let b = Recorder<Int, TestFailure>()
        let subject = self.subject
        subject.take1 { b.observe(subject) }
        subject.send(1)
        subject.send(2)
        expect(b.events == events(2))
    }

    @Test("C129 An ended subject is silent for those who heard the end")
    func silence() {
        let a = Recorder(self.subject)
        self.subject.complete()
        self.subject.send(1)
        self.subject.fail(.e)
        expect(a.events == events(then: .completed))
    }

    @Test("C130 Observing after completion hears the completion (subject-5)")
    func afterTheEnd() {
        self.subject.send(1)
        self.subject.complete()
        let b = Recorder(self.subject)
        self.subject.send(2)
        expect(b.events == events(then: .completed))
    }

    @Test("C132 A value sent from inside a handler reaches all in the same order (subject-4)")
    func reentrantSend() {
        let subject = self.subject
        let a = Recorder<Int, TestFailure>(
            Signal { sink in
                subject.observe(
                    value: {
                        sink.send($0)
                        if $0 < 3 { subject.send($0 + 1) }
                    },
                    end: { sink.end($0) }
                )
            }
        )
        let b = Recorder(subject)
        subject.send(1)
        expect(a.events == events(1, 2, 3))
        expect(b.events == events(1, 2, 3))
    }

    @Test("An end sent from inside a handler comes after the value in hand, for all (subject-4)")
    func reentrantEnd() {
        let subject = self.subject
        subject.take1 { subject.complete() }
        let b = Recorder(subject)
        subject.send(1)
        expect(b.events == events(1, then: .completed))
    }

    @Test("C135 A subject fed by two signals ends with the first to end, and lets go of the other")
    func feeding() {
        let s = Subject<String, TestFailure>()
        let (p, q) = (Subject<String, TestFailure>(), Subject<String, TestFailure>())
        let counted = CountedSource(q)
        s.subscribe(to: p)
        s.subscribe(to: counted)
        let a = Recorder(s)
        p.send("foo")
        q.send("bar")
        p.complete()
        q.send("baz")
        expect(a.events == events("foo", "bar", then: .completed))
        expect(counted.subscribers == 0)
        s.subscribe(to: counted)
        expect(counted.runs.count == 1)
    }

    @Test("Dropping the last reference to a subject lets go of its sources, silently")
    func dropping() {
        let source = Subject<Int, TestFailure>()
        let counted = CountedSource(source)
        let a = Recorder<Int, TestFailure>()
        do {
            let subject = Subject<Int, TestFailure>()
            a.observe(subject)
            subject.subscribe(to: counted)
            source.send(1)
        }
        expect(counted.subscribers == 0)
        expect(a.events == events(1))
        #expect(a.isDisposed)
    }

    @Test("Deep recursion through a subject does not use the stack")
    func depth() {
        let (subject, last) = (self.subject, Counter())
        subject.observe(
            value: { value in
                last.increment()
                if value < 100_000 { subject.send(value + 1) }
            },
            end: { _ in }
        )
        subject.send(1)
        expect(last.count == 100_000)
    }
}

extension Subject {
    /// Runs `action` when the first value is delivered, and never again.
    fileprivate func take1(_ action: @escaping @Sendable () -> Void) {
        self.signal.take(1).observe(value: { _ in action() }, end: { _ in })
    }
}
