import Rac
import RacTesting

extension ForeignCall {
    private typealias Numbers = Signal<Int, TestFailure>

    /// An operator over a subject, whose function asks an outsider to send into that subject and to observe the result.
    ///
    /// - Parameters:
    ///   - name: The comment of a failure.
    ///   - values: The value that the subject sends before it fails.
    ///   - result: Makes the operator; its function has to call what it is given.
    /// - Returns: The case.
    private static func over<Output, Failure>(
        _ name: String,
        _ values: Int...,
        result: @escaping @Sendable (Numbers, @escaping @Sendable () -> Void) -> Signal<Output, Failure>
    ) -> ForeignCall {
        ForeignCall(name) { outsider in
            for ending in [Ending<TestFailure>.completed, .failed(.e)] {
                let (source, handle) = (Subject<Int, TestFailure>(), SerialDisposable())
                let signal = result(source.signal) {
                    outsider.visit {
                        source.send(1)
                        handle.dispose()
                    }
                }
                handle.inner = signal.observe { _ in }
                for value in values { source.send(value) }
                source.end(ending)
            }
        }
    }

    static let operators =
        values + [
            over("map", 1) { source, call in source.map { _ in call() } },
            over("merging flatMap", 1) { source, call in
                source.flatMap(.merge) { value in
                    call()
                    return .just(value)
                }
            },
            over("concatenating flatMap", 1, 2) { source, call in
                source.flatMap(.concat) { value in
                    call()
                    return .just(value)
                }
            },
            over("flatMap to the latest", 1, 2) { source, call in
                source.flatMap(.latest) { value in
                    call()
                    return Numbers { _ in AnyDisposable(call) }
                }
            },
            over("combineLatest of two", 1) { source, call in
                combineLatest(source, source) { _, _ in call() }
            },
            over("combineLatest of three", 1) { source, call in
                combineLatest(source, source, source) { _, _, _ in call() }
            },
            over("combineLatest of an array", 1) { source, call in
                combineLatest([source, source]).map { _ in call() }
            },
            over("zip of two", 1) { source, call in zip(source, source) { _, _ in call() } },
            over("zip of three", 1) { source, call in zip(source, source, source) { _, _, _ in call() } },
            over("zip of an array", 1) { source, call in zip([source, source]).map { _ in call() } },
            over("merge", 1) { source, call in merge(source, source).map { _ in call() } },
            over("sample", 1) { source, call in source.sample(on: source).map { _ in call() } },
            over("race", 1) { source, call in race(source, source).map { _ in call() } },
            over("withLatest", 1) { source, call in source.withLatest(from: source).map { _ in call() } },
            over("share", 1) { source, call in source.share().map { _ in call() } },
            over("replaying share", 1) { source, call in source.share(replaying: 1).map { _ in call() } },
            over("skip until", 1) { source, call in
                source.skip(until: Numbers.empty.on(completed: call))
            },
            over("take until", 1) { source, call in source.map { _ in call() }.take(until: Numbers.never) },
            over("take until replaced", 1) { source, call in
                Numbers.never.map { _ in }.take(untilReplacedBy: source.map { _ in call() })
            },
            over("concat", 1) { source, call in Numbers.empty.concat(source).map { _ in call() } },
            over("if", 1) { source, call in
                Signal.if(
                    source.map { _ in true },
                    then: .deferred {
                        call(); return .just(1)
                    },
                    else: .empty
                )
            },
            over("catch") { source, call in
                source.catch { _ in
                    call()
                    return Signal<Int, Never>.empty
                }
            },
            over("mapFailure") { source, call in
                source.mapFailure { failure in
                    call()
                    return failure
                }
            },
            over("attempt") { source, call in
                source.map { _ in }.concat(.attempt { () throws(TestFailure) in call() })
            },
            over("retry", 1) { source, call in
                source.map { _ in }.concat(
                    .deferred {
                        call(); return .fail(.e)
                    }
                ).retry(upTo: 1)
            },
            over("validate", 1) { source, call in source.validate { _ throws(TestFailure) in call() } },
            over("tryMap", 1) { source, call in source.tryMap { _ throws(TestFailure) in call() } },
            over("on", 1) { source, call in source.on(value: { _ in call() }) },
            over("on its failure") { source, call in source.on(failed: { _ in call() }, completed: call) },
            over("initially") { source, call in source.initially(call) },
            over("finally") { source, call in source.finally(call) },
            over("logged", 1) { source, call in source.logged(as: "x", to: { _ in call() }) },
            over("replayedLazily", 1) { source, call in source.replayedLazily().map { _ in call() } },
        ]

    private static let values = [
        over("compactMap", 1) { source, call in
            source.compactMap { value in
                call()
                return value
            }
        },
        over("filter", 1) { source, call in source.filter { _ in answer(call) } },
        over("scan", 1) { source, call in source.scan(()) { _, _ in call() } },
        over("reduce", 1) { source, call in source.reduce(()) { _, _ in call() } },
        over("min(by:)", 1, 2) { source, call in source.min { _, _ in answer(call) } },
        over("max(by:)", 1, 2) { source, call in source.max { _, _ in answer(call) } },
        over("collect(count:)", 1) { source, call in source.collect(count: 1).map { _ in call() } },
        over("group(by:)", 1) { source, call in source.group { _ in answer(call) } },
        over("removeDuplicates(by:)", 1, 2) { source, call in source.removeDuplicates { _, _ in answer(call) } },
        over("take(while:)", 1) { source, call in source.take(while: { _ in answer(call) }) },
        over("take(untilFirst:)", 1) { source, call in source.take(untilFirst: { _ in answer(call) }) },
        over("skip(while:)", 1) { source, call in source.skip(while: { _ in answer(call) }) },
        over("skip(untilFirst:)", 1) { source, call in source.skip(untilFirst: { _ in answer(call) }) },
        over("contains", 1) { source, call in source.contains { _ in answer(call) } },
        over("allSatisfy", 1) { source, call in source.allSatisfy { _ in answer(call) } },
    ]

    private static func answer(_ call: () -> Void) -> Bool {
        call()
        return true
    }
}
