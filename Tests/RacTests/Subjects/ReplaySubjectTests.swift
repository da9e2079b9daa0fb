import Expectations
import Rac
import RacTesting
import Testing

@Suite struct ReplaySubjectTests {
    private typealias Replay = ReplaySubject<Int, TestFailure>

    @Test("C139 Unlimited capacity replays everything, then goes on live")
    func unlimited() {
        let subject = Replay(capacity: .unlimited)
        subject.send(1)
        subject.send(2)
        let a = Recorder(subject)
        expect(a.events == events(1, 2))
        subject.send(3)
        subject.complete()
        expect(a.events == events(1, 2, 3, then: .completed))
        expect(Recorder(subject).events == events(1, 2, 3, then: .completed))
    }

    @Test("C140 Capacity one replays the last value")
    func one() {
        let subject = Replay(capacity: 1)
        subject.send(1)
        subject.send(2)
        let a = Recorder(subject)
        subject.send(3)
        expect(a.events == events(2, 3))
    }

    @Test("C141 Capacity two replays the last two values")
    func two() {
        let subject = Replay(capacity: 2)
        for value in 1...4 { subject.send(value) }
        expect(Recorder(subject).events == events(3, 4))
    }

    @Test("C142 Capacity zero still replays the end")
    func zero() {
        let subject = Replay(capacity: 0)
        subject.send(1)
        let a = Recorder(subject)
        subject.send(2)
        subject.complete()
        expect(a.events == events(2, then: .completed))
        expect(Recorder(subject).events == events(then: .completed))
    }

    @Test("C143 Capacity zero replays a failure")
    func zeroFailure() {
        let subject = Replay(capacity: 0)
        subject.send(1)
        subject.fail(.e)
        expect(Recorder(subject).events == events(then: .failed(.e)))
    }

    @Test("C144 The last value survives the end")
    func valueAndEnd() {
        let subject = Replay(capacity: 1)
        subject.send(1)
        subject.send(2)
        subject.fail(.e)
        for _ in 1...2 {
            expect(Recorder(subject).events == events(2, then: .failed(.e)))
        }
    }

    @Test("C145 A subject that ended without a value replays the end")
    func onlyEnd() {
        let subject = Replay(capacity: 1)
        subject.complete()
        expect(Recorder(subject).events == events(then: .completed))
    }

    @Test("C149 Values sent after the end are not stored (replay-7)")
    func afterTheEnd() {
        let subject = Replay(capacity: 1)
        subject.send(1)
        subject.complete()
        subject.send(2)
        subject.fail(.e)
        expect(Recorder(subject).events == events(1, then: .completed))
    }

    @Test("An observer that comes during a delivery gets the value in hand, once")
    func newcomer() {
        let subject = Replay(capacity: 1)
        let b = Recorder<Int, TestFailure>()
        subject.signal.take(1).observe(
            value: { _ in
                b.observe(subject)
                expect(b.events == events(1))
            },
            end: { _ in }
        )
        subject.send(1)
        subject.send(2)
        expect(b.events == events(1, 2))
    }

    @Test("A replay stops where its observer stops listening")
    func disposalDuringReplay() {
        let (subject, seen) = (Replay(capacity: .unlimited), Log<Int>())
        subject.send(1)
        subject.send(2)
        let replayed = subject.signal.map { value in
            seen.append(value)
            return value
        }
        expect(Recorder(replayed.take(1)).events == events(1, then: .completed))
        expect(seen.entries == [1])
    }

    @Test("A value sent while an observer is replayed to comes to it after the replay")
    func sendDuringReplay() {
        let subject = Replay(capacity: .unlimited)
        subject.send(1)
        subject.send(2)
        let seen = Log<Int>()
        subject.observe(
            value: { value in
                seen.append(value)
                if value == 1 { subject.send(3) }
            },
            end: { _ in }
        )
        expect(seen.entries == [1, 2, 3])
        expect(Recorder(subject).values == [1, 2, 3])
    }

    @Test("Stored values outlive the subject for as long as its signal is held")
    func outlived() {
        var subject: Replay? = Replay(capacity: 1)
        subject?.send(1)
        let signal = subject?.signal
        let a = signal.map { Recorder($0) }
        subject = nil
        expect(a?.isDisposed == true)
        let late = signal.map { Recorder($0) }
        expect(late?.events == events(1))
        expect(late?.isDisposed == true)
    }
}
