import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

/// Operators with several sources while those speak on many threads; the thread sanitizer finds data races in these too.
@Suite struct JoiningStressTests {
    private static let threads = 8
    private static let sends = 10_000
    private let subjects = (0..<threads).map { _ in Subject<Int, Never>() }

    /// Sends the numbers from 0 on into each subject, each on a thread of its own, and completes it.
    private func sendAll(_ value: @escaping @Sendable (_ thread: Int, _ number: Int) -> Int) {
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for number in 0..<Self.sends { self.subjects[thread].send(value(thread, number)) }
            self.subjects[thread].complete()
        }
    }

    @Test("Merge loses nothing, keeps each source's order and says one thing at a time")
    func merged() {
        let witness = Witness(sends: Self.sends, threads: Self.threads)
        merge(self.subjects).observe(value: { witness.saw($0) }, end: { _ in witness.ended() })
        self.sendAll { $0 * Self.sends + $1 }
        expect(witness.count == Self.threads * Self.sends)
        expect(witness.disorder + witness.overlaps == 0)
        expect(witness.ends == 1)
    }

    @Test("Combine latest never goes back, gives one array per value and ends with the last values")
    func combined() {
        let seen = RowWitness()
        combineLatest(self.subjects).observe(value: { seen.saw($0) }, end: { _ in seen.ended() })
        for subject in self.subjects { subject.send(-1) }
        self.sendAll { $1 }
        expect(seen.count == Self.threads * Self.sends + 1)
        expect(seen.steps == Self.threads * Self.sends)
        expect(seen.overlaps.count == 0)
        expect(seen.last == Array(repeating: Self.sends - 1, count: Self.threads))
        expect(seen.ends == 1)
    }

    @Test("Combine latest of a fixed number of types does the same")
    func combinedTuple() {
        let (seen, s) = (RowWitness(), self.subjects.map(\.signal))
        combineLatest(s[0], s[1], s[2], s[3]) { [$0, $1, $2, $3] }
            .observe(value: { seen.saw($0) }, end: { _ in seen.ended() })
        for subject in self.subjects { subject.send(-1) }
        self.sendAll { $1 }
        expect(seen.count == 4 * Self.sends + 1)
        expect(seen.steps == 4 * Self.sends)
        expect(seen.overlaps.count == 0)
        expect(seen.ends == 1)
    }

    @Test("A race has one winner, whose values all come, in order")
    func raced() {
        let witness = Witness(sends: Self.sends, threads: Self.threads)
        race(self.subjects).observe(value: { witness.saw($0) }, end: { _ in witness.ended() })
        self.sendAll { $0 * Self.sends + $1 }
        expect(witness.count == Self.sends)
        expect(witness.disorder + witness.overlaps == 0)
        expect(witness.ends == 1)
    }

    @Test("Each value has a companion that never goes back")
    func withLatest() {
        let (seen, s) = (RowWitness(), self.subjects.map(\.signal))
        s[1].skip(until: s[3])
            .withLatest(from: s[0].starting(with: 0))
            .observe(value: { seen.saw([$0, $1]) }, end: { _ in seen.ended() })
        self.subjects[3].send(0)
        self.sendAll { $1 }
        expect(seen.count == Self.sends)
        expect(seen.overlaps.count == 0)
        expect(seen.ends == 1)
    }

    @Test("Zip pairs by position, whichever side is faster")
    func zipped() {
        let seen = RowWitness()
        zip(self.subjects).observe(value: { seen.saw($0) }, end: { _ in seen.ended() })
        self.sendAll { $1 }
        expect(seen.count == Self.sends)
        expect(seen.steps == (Self.sends - 1) * Self.threads)
        expect(seen.overlaps.count == 0)
        expect(seen.last == Array(repeating: Self.sends - 1, count: Self.threads))
        expect(seen.ends == 1)
    }

    @Test("After a switch nothing of the replaced inner signal is heard")
    func switched() {
        let (outer, seen) = (Subject<Int, Never>(), RowWitness())
        let inners = self.subjects
        outer.signal
            .flatMap(.latest) { number in inners[number % (Self.threads - 1)].signal.map { _ in [number] } }
            .observe(value: { seen.saw($0) }, end: { _ in seen.ended() })
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for number in 0..<Self.sends {
                if thread == Self.threads - 1 { outer.send(number) } else { inners[thread].send(number) }
            }
            if thread == Self.threads - 1 { outer.complete() }
        }
        for inner in inners { inner.complete() }
        expect(seen.setbacks == 0)
        expect(seen.overlaps.count == 0)
        expect(seen.ends == 1)
    }

    @Test("An end that comes from a trigger is the last thing heard, once")
    func triggered() {
        for _ in 0..<500 {
            let (s, t, r) = (Subject<Int, Never>(), Subject<Int, Never>(), Subject<Int, Never>())
            let ended = Recorder(s.signal.take(until: t))
            let replaced = Recorder(s.signal.take(untilReplacedBy: r))
            let sampled = Recorder(s.signal.sample(on: t))
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                for number in 0..<10 { s.send(number) }
                if thread == 0 { r.send(-1) }
                if thread == 1 { t.complete() }
            }
            #expect(ended.events.last == .completed && sampled.events.last == .completed)
            #expect(ended.isDisposed && sampled.isDisposed)
            expect(replaced.events.last == .value(-1))
        }
    }

    @Test("Values that are delayed and throttled by a real clock arrive in order, the last one too")
    func timed() async {
        let (s, clock) = (Subject<Int, Never>(), SerialScheduler(label: "timed"))
        let delayed = s.signal.delay(by: .microseconds(50), on: clock).replayed()
        let throttled = s.signal.throttle(for: .microseconds(20), on: clock).replayed()
        let debounced = s.signal.debounce(for: .microseconds(5), on: clock).replayed()
        let windows = s.signal.collect(every: .microseconds(30), on: clock).replayed()
        let sent = s.signal.replayed()
        DispatchQueue.concurrentPerform(iterations: 4) { _ in
            for number in 0..<500 { s.send(number) }
        }
        s.send(-1)
        s.complete()
        let all = await sent.toArray()
        expect(await delayed.toArray() == all)
        expect(await windows.toArray().flatMap(\.self) == all)
        for some in [throttled, debounced] {
            let values = await some.toArray()
            expect(values.last == -1)
            #expect(values.count <= all.count)
        }
    }

    @Test("Joining operators that are observed and disposed while their sources speak leave nothing behind")
    func churn() {
        let tokens = Counter()
        do {
            let subjects = (0..<3).map { _ in Subject<Int, Never>() }
            let signals = subjects.map(\.signal)
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                for number in 0..<500 {
                    let token = Token(tokens)
                    let handles = [
                        combineLatest(signals).onValue { _ in token.use() },
                        combineLatest(signals[0], signals[1], signals[2]).onValue { _ in token.use() },
                        zip(signals).onValue { _ in token.use() },
                        merge(signals).onValue { _ in token.use() },
                        signals[0].flatMap(.latest) { _ in signals[1] }.onValue { _ in token.use() },
                        signals[0].take(until: signals[1]).onValue { _ in token.use() },
                        signals[0].sample(on: signals[2]).onValue { _ in token.use() },
                    ]
                    for subject in subjects { subject.send(number) }
                    for handle in handles where number % 50 > 0 { handle.dispose() }
                }
            }
        }
        expect(tokens.count == 0)
    }
}

/// Sees rows of growing numbers.
///
/// `@unchecked Sendable` holds because only its one subscription touches it, and the test after the last event. The
/// thread sanitizer checks this.
private final class RowWitness: @unchecked Sendable {
    private(set) var count = 0
    private(set) var ends = 0
    private(set) var last: [Int] = []
    /// The sum of the steps by one upwards from row to row.
    private(set) var steps = 0
    /// The count of numbers that went down.
    private(set) var setbacks = 0
    /// The count of rows that came while another one was being seen.
    let overlaps = Counter()
    private let inside = Counter()

    func saw(_ row: [Int]) {
        if self.inside.increment() > 1 { self.overlaps.increment() }
        for (old, new) in zip(self.last, row) {
            if new == old + 1 { self.steps += 1 }
            if new < old { self.setbacks += 1 }
        }
        self.last = row
        self.count += 1
        self.inside.decrement()
    }

    func ended() {
        self.ends += 1
    }
}
