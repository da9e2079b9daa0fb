import Expectations
import Rac
import RacTesting
import Testing

/// Signals that cannot fail, together with such that can.
@Suite struct WideningTests {
    private typealias Sure = Signal<Int, Never>
    private typealias Unsure = Signal<Int, TestFailure>
    private let sure = Subject<Int, Never>()
    private let unsure = Subject<Int, TestFailure>()

    @Test("C415 An inner signal may fail where the outer one cannot, and the reverse")
    func flatMap() {
        let a = Recorder(self.sure.signal.flatMap(.merge) { $0 < 2 ? Unsure.just($0) : .fail(.bad) })
        self.sure.send(1)
        self.sure.send(2)
        expect(a.events == events(1, then: .failed(.bad)))
        let b = Recorder(self.unsure.signal.flatMap(.latest) { Sure(values: [$0, $0]) })
        self.unsure.send(3)
        self.unsure.fail(.e)
        expect(b.events == events(3, 3, then: .failed(.e)))
        let c: Signal<Int, Never> = Sure.just(1).flatMap(.concat) { .just($0) }
        expect(Recorder(c).events == events(1, then: .completed))
    }

    @Test("C416 Joining functions take a signal that cannot fail beside one that can")
    func functions() {
        let (sure, unsure) = (self.sure.signal, self.unsure.signal)
        let all = [
            Recorder(combineLatest(sure, unsure) { $0 + $1 }),
            Recorder(combineLatest(unsure, sure) { $0 + $1 }),
            Recorder(combineLatest(sure, unsure).map { $0 + $1 }),
            Recorder(combineLatest(unsure, sure).map { $0 + $1 }),
            Recorder(zip(sure, unsure) { $0 + $1 }),
            Recorder(zip(unsure, sure) { $0 + $1 }),
            Recorder(zip(sure, unsure).map { $0 + $1 }),
            Recorder(zip(unsure, sure).map { $0 + $1 }),
            Recorder(merge(sure, unsure).map { _ in 3 }.skip(1)),
            Recorder(merge(unsure, sure).map { _ in 3 }.skip(1)),
        ]
        self.sure.send(1)
        self.unsure.send(2)
        self.unsure.fail(.e)
        for a in all { expect(a.events == events(3, then: .failed(.e))) }
    }

    @Test("C417 The methods do what the joining functions do, with any source")
    func methods() {
        let (sure, unsure) = (self.sure, self.unsure)
        let all = [
            Recorder(unsure.signal.combineLatest(with: unsure).map { max($0, $1) }),
            Recorder(sure.signal.combineLatest(with: unsure).map { max($0, $1) }),
            Recorder(unsure.signal.combineLatest(with: sure).map { max($0, $1) }),
            Recorder(unsure.signal.zip(with: unsure).map { max($0, $1) }),
            Recorder(sure.signal.zip(with: unsure).map { max($0, $1) }),
            Recorder(unsure.signal.zip(with: sure).map { max($0, $1) }),
            Recorder(unsure.signal.merge(with: unsure).skip(1)),
            Recorder(sure.signal.merge(with: unsure).skip(1)),
            Recorder(unsure.signal.merge(with: sure).skip(1)),
            Recorder(unsure.signal.race(with: unsure)),
            Recorder(Sure.never.race(with: unsure)),
            Recorder(unsure.signal.race(with: Sure.never)),
            Recorder(unsure.signal.withLatest(from: sure).map { max($0, $1) }),
        ]
        sure.send(1)
        unsure.send(2)
        unsure.fail(.e)
        for a in all { expect(a.events == events(2, then: .failed(.e))) }
        let b = Recorder(sure.signal.withLatest(from: Unsure.just(5).concat(.never)).map { $0 + $1 })
        sure.send(1)
        sure.complete()
        expect(b.events == events(6, then: .completed))
    }

    @Test("Properties join as they are, and the result cannot fail")
    func properties() {
        let (name, count) = (Property("a"), Property(1))
        let a: Recorder<String, Never> = Recorder(name.signal.combineLatest(with: count).map { "\($0)\($1)" })
        count.value = 2
        name.value = "b"
        expect(a.events == events("a1", "a2", "b2"))
        let b: Recorder<String, Never> = Recorder(name.signal.merge(with: Property("c")))
        expect(b.values == ["b", "c"])
    }
}
