import Expectations
import Rac
import RacTesting
import Testing

@Suite struct ConnectionTests {
    /// A source that counts its runs, sends the count and completes.
    private func countingSource(_ runs: Counter) -> Signal<Int, Never> {
        Signal { sink in
            sink.send(runs.increment())
            sink.complete()
        }
    }

    @Test("C152 Publish runs the source once, at connect")
    func publish() {
        let runs = Counter()
        let connection = self.countingSource(runs).publish()
        let (a, b) = (Recorder(connection), Recorder(connection))
        expect(runs.count == 0)
        connection.connect()
        expect(a.events == events(1, then: .completed))
        expect(b.events == events(1, then: .completed))
        expect(runs.count == 1)
    }

    @Test("C153 Published values are not kept for late observers")
    func late() {
        let s = Subject<Int, Never>()
        let connection = s.signal.publish()
        connection.connect()
        s.send(1)
        let a = Recorder(connection)
        s.send(2)
        expect(a.events == events(2))
    }

    @Test("C154 Connecting again does nothing, even after disconnecting")
    func reconnect() {
        let source = CountedSource(Subject<Int, Never>())
        let connection = source.signal.publish()
        let handle = connection.connect()
        #expect(connection.connect() === handle)
        handle.dispose()
        connection.connect()
        expect(source.runs.count == 1)
    }

    @Test("Disconnecting is silent")
    func disconnect() {
        let s = Subject<Int, Never>()
        let connection = s.signal.publish()
        let a = Recorder(connection)
        let handle = connection.connect()
        s.send(1)
        handle.dispose()
        s.send(2)
        s.complete()
        expect(a.events == events(1))
    }

    @Test("C156 Autoconnect: the first in starts it, the last out stops it, and it never starts again")
    func autoconnect() {
        let s = Subject<Int, Never>()
        let source = CountedSource(s)
        let signal = source.signal.publish().autoconnected()
        expect(source.runs.count == 0)
        let (a, b) = (Recorder(signal), Recorder(signal))
        s.send(1)
        a.dispose()
        expect(source.teardowns.count == 0)
        b.dispose()
        expect(source.teardowns.count == 1)
        let c = Recorder(signal)
        s.send(2)
        expect(source.runs.count == 1)
        expect(a.events == events(1))
        expect(b.events == events(1))
        expect(c.events == events())
    }

    @Test("With autoconnect the first observer misses nothing, the second what came before it")
    func autoconnectSynchronous() {
        let box = SinkBox<Int, Never>()
        let signal = Signal<Int, Never>(values: [1, 2]).concat(box.signal).publish().autoconnected()
        let (a, b) = (Recorder(signal), Recorder(signal))
        expect(a.events == events(1, 2))
        expect(b.events == events())
    }

    @Test("C159 Replay starts at once and keeps everything")
    func replayed() {
        let runs = Counter()
        let signal = self.countingSource(runs).replayed()
        expect(runs.count == 1)
        for _ in 1...2 {
            expect(Recorder(signal).events == events(1, then: .completed))
        }
        expect(runs.count == 1)
    }

    @Test("C160 Replay last keeps one")
    func replayedLast() {
        let s = Subject<Int, Never>()
        let signal = s.signal.replayedLast()
        s.send(1)
        s.send(2)
        let a = Recorder(signal)
        s.send(3)
        expect(a.events == events(2, 3))
    }

    @Test("C161 Lazy replay starts with the first observer")
    func replayedLazily() {
        let runs = Counter()
        let signal = self.countingSource(runs).replayedLazily()
        expect(runs.count == 0)
        let (a, b) = (Recorder(signal), Recorder(signal))
        expect(runs.count == 1)
        expect(a.events == events(1, then: .completed))
        expect(b.events == events(1, then: .completed))
    }

    @Test("Lazy replay goes on when its first observer leaves")
    func replayedLazilyGoesOn() {
        let s = Subject<Int, Never>()
        let signal = s.signal.replayedLazily()
        let a = Recorder(signal)
        s.send(1)
        a.dispose()
        s.send(2)
        expect(Recorder(signal).events == events(1, 2))
    }

    @Test("A source that goes away takes its connection's observers with it")
    func noCycle() {
        weak var witness: Log<Int>?
        do {
            let (s, inner) = (Subject<Int, Never>(), Log<Int>())
            witness = inner
            s.signal.publish().autoconnected().onValue { inner.append($0) }
            s.send(1)
            expect(inner.entries == [1])
        }
        #expect(witness == nil)
    }
}
