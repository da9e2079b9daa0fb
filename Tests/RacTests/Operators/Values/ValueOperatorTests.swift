import Expectations
import Rac
import RacTesting
import Testing

@Suite struct ValueOperatorTests {
    private typealias Ints = Signal<Int, TestFailure>

    @Test("C016 Map to a constant replaces each value")
    func mapTo() {
        expect(Recorder(Ints(values: [1, 2]).map(to: "x")).events == events("x", "x", then: .completed))
    }

    @Test("C017 Ignoring values leaves the end")
    func ignoreValues() {
        let source = Ints(values: [1, 2]).concat(.fail(.e))
        expect(Recorder(source.ignoreValues()).events == events(then: .failed(.e)))
        expect(Recorder(Ints.empty.ignoreValues()).events == events(then: .completed))
        let box = SinkBox<Int, TestFailure>()
        let a = Recorder(box.signal.ignoreValues())
        box.sinks[0].send(1)
        expect(a.events == events())
        box.sinks[0].complete()
        expect(a.events == events(then: .completed))
    }

    @Test("Ignore leaves out equal values, nil too")
    func ignore() {
        let a = Recorder(Signal<Int?, Never>(values: [1, nil, 2]).ignore(nil))
        expect(a.events == events(1, 2, then: .completed))
    }

    @Test("Compact map leaves out nil results")
    func compactMap() {
        let a = Recorder(Signal<String, Never>(values: ["1", "x", "3"]).compactMap { Int($0) })
        expect(a.events == events(1, 3, then: .completed))
    }

    @Test("C025 Starting with a value sends it before the source runs")
    func startingWith() {
        expect(Recorder(Ints(values: [1, 2]).starting(with: 0)).events == events(0, 1, 2, then: .completed))
        let source = CountedSource(Ints.just(1))
        expect(Recorder(source.signal.starting(with: 0).take(1)).events == events(0, then: .completed))
        expect(source.runs.count == 0)
        expect(Recorder(Ints.fail(.e).starting(with: 0)).events == events(0, then: .failed(.e)))
    }

    @Test("C026 Removing duplicates compares each value with the one that passed before it")
    func removeDuplicates() {
        let a = Recorder(Ints(values: [1, 2, 2, 1, 1]).removeDuplicates())
        expect(a.events == events(1, 2, 1, then: .completed))
        let b = Recorder(Signal<Int?, Never>(values: [nil, nil, 1]).removeDuplicates())
        expect(b.events == events(nil, 1, then: .completed))
    }

    @Test("C028 Scan sends the running result")
    func scan() {
        let signal = Ints(values: 1...4).scan(0, +)
        for _ in 1...2 { expect(Recorder(signal).events == events(1, 3, 6, 10, then: .completed)) }
    }

    @Test("C029 Scan of nothing sends nothing")
    func scanNothing() {
        expect(Recorder(Ints.empty.scan(0, +)).events == events(then: .completed))
    }

    @Test("Scan can use the index of each value")
    func scanIndexed() {
        let a = Recorder(Ints(values: [5, 6, 7]).scan("") { result, value, index in "\(result)\(index):\(value) " })
        expect(a.values.last == "0:5 1:6 2:7 ")
    }

    @Test("C030 Reduce sends one result at completion")
    func reduce() {
        expect(Recorder(Ints(values: [1, 2, 3]).reduce(10, +)).events == events(16, then: .completed))
        expect(Recorder(Ints.empty.reduce(10, +)).events == events(10, then: .completed))
        expect(Recorder(Ints.just(1).concat(.fail(.e)).reduce(10, +)).events == events(then: .failed(.e)))
    }

    @Test("C034 Collect sends all values at completion")
    func collect() {
        let signal = Ints(values: [1, 2, 3]).collect()
        for _ in 1...2 { expect(Recorder(signal).events == events([1, 2, 3], then: .completed)) }
    }

    @Test("C035 Collect of nothing is an empty array, of a failure nothing")
    func collectNothing() {
        expect(Recorder(Ints.empty.collect()).events == events([], then: .completed))
        expect(Recorder(Ints.just(1).concat(.fail(.e)).collect()).events == events(then: .failed(.e)))
    }

    @Test("C038 Take last sends the last values at completion")
    func takeLast() {
        expect(Recorder(Ints(values: 1...4).take(last: 2)).events == events(3, 4, then: .completed))
        expect(Recorder(Ints(values: 1...4).take(last: 0)).events == events(then: .completed))
        expect(Recorder(Ints(values: 1...2).take(last: 5)).events == events(1, 2, then: .completed))
        expect(Recorder(Ints(values: 1...4).take(last: 3).take(1)).events == events(2, then: .completed))
    }

    @Test("C040 Combine previous pairs each value with the one before")
    func combinePrevious() {
        let a = Recorder(Ints(values: [1, 2, 3]).combinePrevious(0).map { $0.previous * 10 + $0.current })
        expect(a.events == events(1, 12, 23, then: .completed))
    }

    @Test("C041 Take while sends a prefix and cancels the source")
    func takeWhile() {
        expect(
            Recorder(Ints(values: [0, 1, 2, 3, 0]).take(while: { $0 < 2 })).events == events(0, 1, then: .completed)
        )
        let box = SinkBox<Int, Never>()
        let a = Recorder(box.signal.take(untilFirst: { $0 == 2 }))
        for value in 1...3 { box.sinks[0].send(value) }
        expect(a.events == events(1, then: .completed))
        expect(box.teardowns.count == 1)
    }

    @Test("C042 Skip while leaves out a prefix only")
    func skipWhile() {
        let source = Ints(values: [0, 1, 2, 3, 0])
        expect(Recorder(source.skip(while: { $0 < 2 })).events == events(2, 3, 0, then: .completed))
        expect(Recorder(source.skip(untilFirst: { $0 == 2 })).events == events(2, 3, 0, then: .completed))
        expect(Recorder(Ints.fail(.e).skip(while: { _ in true })).events == events(then: .failed(.e)))
    }

    @Test("C043 Not negates")
    func not() {
        let a = Recorder(Signal<Bool, Never>(values: [true, false]).not())
        expect(a.events == events(false, true, then: .completed))
    }

    @Test("C044 And of arrays says whether all are true, or whether any is")
    func and() {
        let rows = Signal<[Bool], Never>(values: [[true, false, true], [true, true, true], []])
        expect(Recorder(rows.and()).events == events(false, true, true, then: .completed))
        expect(Recorder(rows.or()).events == events(true, true, false, then: .completed))
    }

    @Test("And and or of two signals follow their latest values")
    func andOfSignals() {
        let (a, b) = (Subject<Bool, Never>(), Subject<Bool, Never>())
        let (both, any) = (Recorder(a.signal.and(b.signal)), Recorder(a.signal.or(b.signal)))
        a.send(true)
        b.send(false)
        b.send(true)
        expect(both.events == events(false, true))
        expect(any.events == events(true, true))
    }

    @Test("C048 Contains answers at the first value that passes")
    func contains() {
        let source = CountedSource(Ints(values: [1, 2, 3]).concat(.never))
        expect(Recorder(source.signal.contains { $0 > 2 }).events == events(true, then: .completed))
        expect(source.subscribers == 0)
        expect(Recorder(Ints.empty.contains { $0 > 2 }).events == events(false, then: .completed))
        expect(Recorder(Ints.fail(.e).contains { $0 > 2 }).events == events(false, then: .completed))
    }

    @Test("C050 All of nothing is true, of a failure false")
    func allSatisfy() {
        expect(Recorder(Ints.empty.allSatisfy { $0 > 2 }).events == events(true, then: .completed))
        expect(Recorder(Ints.fail(.e).allSatisfy { $0 > 2 }).events == events(false, then: .completed))
        expect(Recorder(Ints(values: 0...).allSatisfy { $0 < 3 }).events == events(false, then: .completed))
    }

    @Test("Groups are announced before their first values and end after the outer signal, in order")
    func group() {
        let (subject, log) = (Subject<Int, TestFailure>(), Log<String>())
        subject.signal.group(by: { $0.isMultiple(of: 2) ? "even" : "odd" }).observe(
            value: { group in
                log.append(group.key)
                group.observe(value: { log.append("\(group.key) \($0)") }, end: { _ in log.append("\(group.key) end") })
            },
            end: { _ in log.append("end") }
        )
        for value in 1...3 { subject.send(value) }
        subject.fail(.e)
        expect(log.entries == ["odd", "odd 1", "even", "even 2", "odd 3", "end", "odd end", "even end"])
    }
}
