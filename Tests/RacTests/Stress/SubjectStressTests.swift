import Dispatch
import Expectations
import Rac
import RacTesting
import Testing

/// Many threads at once on one subject; run under the thread sanitizer these tests also find data races.
@Suite struct SubjectStressTests {
    private static let threads = 8
    private static let sends = 12_500 * TestEffort.factor
    private static let changes = 1_000 * TestEffort.factor

    @Test("Every observer hears every value of every thread, one at a time and all in the same order")
    func oneOrder() {
        let subject = Subject<Int, Never>()
        let observers = (0..<2).map { _ in Witness(sends: Self.sends, threads: Self.threads) }
        for witness in observers {
            subject.observe(value: { witness.saw($0) }, end: { _ in witness.ended() })
        }
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for number in 0..<Self.sends { subject.send(thread * Self.sends + number) }
        }
        subject.complete()
        for witness in observers {
            expect(witness.count == Self.threads * Self.sends)
            expect(witness.disorder == 0)
            expect(witness.overlaps == 0)
            expect(witness.ends == 1)
        }
        expect(observers[0].digest == observers[1].digest)
    }

    @Test("Threads that send, observe and dispose at once lose no value and leave nothing behind")
    func churn() {
        let (tokens, total) = (Counter(), Counter())
        do {
            let subject = Subject<Int, Never>()
            subject.onValue { _ in total.increment() }
            DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
                for number in 0..<Self.changes {
                    let token = Token(tokens)
                    let handle = subject.signal.map { $0 + 1 }.onValue { _ in token.use() }
                    subject.send(number)
                    subject.send(number)
                    if number.isMultiple(of: 2) { handle.dispose() }
                    if number % 100 == 99 { subject.signal.take(1).onValue { _ in token.use() } }
                    handle.dispose()
                }
            }
        }
        expect(total.count == 2 * Self.threads * Self.changes)
        expect(tokens.count == 0)
    }

    @Test("Threads that come to a shared signal and leave it start and stop runs, and leave nothing behind")
    func sharedChurn() {
        let (tokens, total) = (Counter(), Counter())
        let subject = Subject<Int, Never>()
        let source = CountedSource(subject)
        for shared in [source.signal.share(), source.signal.share(replaying: 1)] {
            DispatchQueue.concurrentPerform(iterations: Self.threads) { _ in
                for number in 0..<Self.changes {
                    let token = Token(tokens)
                    let handle = shared.onValue { _ in
                        token.use()
                        total.increment()
                    }
                    subject.send(number)
                    handle.dispose()
                }
            }
            expect(source.subscribers == 0)
            expect(tokens.count == 0)
        }
        #expect(total.count > 0)
    }

    @Test("An end that races with values and newcomers is the last thing that anybody hears, once")
    func racingEnd() {
        for _ in 0..<500 {
            let subject = Subject<Int, TestFailure>()
            let recorders = (0..<4).map { _ in Recorder<Int, TestFailure>() }
            DispatchQueue.concurrentPerform(iterations: 4) { thread in
                recorders[thread].observe(subject)
                subject.send(thread)
                subject.end(thread.isMultiple(of: 2) ? .completed : .failed(.e))
            }
            let ends = recorders.map { $0.events.compactMap(\.ending) }
            #expect(ends.allSatisfy { $0.count == 1 } && Set(ends).count == 1)
            #expect(recorders.allSatisfy { $0.events.last?.ending != nil && $0.isDisposed })
        }
    }

    @Test("An observer that joins a replay subject under load hears a part of one order without gaps")
    func replay() {
        let subject = ReplaySubject<Int, Never>(capacity: 3)
        let whole = Recorder(subject)
        let parts = Log<Recorder<Int, Never>>()
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for number in 0..<500 {
                subject.send(thread * 500 + number)
                if number.isMultiple(of: 50) { parts.append(Recorder(subject)) }
            }
        }
        subject.complete()
        expect(whole.values.count == Self.threads * 500)
        for part in parts.entries {
            expect(part.events == Array(whole.events.suffix(part.events.count)))
        }
    }

    @Test("Inner signals that speak from many threads are joined without loss, one value at a time")
    func join() {
        let inners = (0..<Self.threads).map { _ in Subject<Int, Never>() }
        let witness = Witness(sends: Self.sends, threads: Self.threads)
        Signal<Int, Never>(values: inners.indices)
            .flatMap(.merge) { inners[$0].signal }
            .observe(value: { witness.saw($0) }, end: { _ in witness.ended() })
        DispatchQueue.concurrentPerform(iterations: Self.threads) { thread in
            for number in 0..<Self.sends { inners[thread].send(thread * Self.sends + number) }
            inners[thread].complete()
        }
        expect(witness.count == Self.threads * Self.sends)
        expect(witness.disorder == 0)
        expect(witness.overlaps == 0)
        expect(witness.ends == 1)
    }

    @Test("Threads that connect at once start the source once and get one handle")
    func connect() {
        for _ in 0..<200 {
            let source = CountedSource(Subject<Int, Never>())
            let connection = source.signal.publish()
            let handles = Log<ObjectIdentifier>()
            DispatchQueue.concurrentPerform(iterations: 4) { _ in
                handles.append(ObjectIdentifier(connection.connect()))
            }
            expect(source.runs.count == 1)
            expect(Set(handles.entries).count == 1)
        }
    }
}
