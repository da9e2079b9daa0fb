import Rac
import RacTesting

extension ForeignCall {
    /// An operator over a subject and on a scheduler, whose observer asks an outsider to use both.
    private static func over(
        _ name: String,
        result: @escaping @Sendable (Signal<Int, Never>, TestScheduler) -> Signal<some Sendable, Never>
    ) -> ForeignCall {
        ForeignCall(name) { outsider in
            let (source, scheduler) = (Subject<Int, Never>(), TestScheduler())
            result(source.signal, scheduler)
                .observe { _ in
                    outsider.visit {
                        source.send(2)
                        scheduler.schedule(after: .seconds(1)) {}.dispose()
                    }
                }
            source.send(1)
            scheduler.advance(by: .seconds(3))
            source.complete()
            scheduler.advance(by: .seconds(3))
        }
    }

    static let timed = [
        over("debounce") { $0.debounce(for: .seconds(1), on: $1) },
        over("throttle") { $0.throttle(for: .seconds(1), on: $1) },
        over("delay") { $0.delay(by: .seconds(1), on: $1) },
        over("collect(every:)") { $0.collect(every: .seconds(1), on: $1) },
        over("deliver(on:)") { $0.deliver(on: $1) },
        over("subscribe(on:)") { $0.subscribe(on: $1) },
        over("interval") { source, scheduler in
            source.flatMap(.merge) { _ in Signal.interval(every: .seconds(1), on: scheduler).map { _ in } }.take(2)
        },
        ForeignCall("debounce with a predicate") { outsider in
            let source = Subject<Int, Never>()
            source.signal
                .debounce(for: .seconds(1), on: TestScheduler()) { _ in
                    outsider.visit { source.send(2) }
                    return false
                }
                .onValue { _ in }
            source.send(1)
        },
        ForeignCall("timeout") { outsider in
            let (source, scheduler) = (Subject<Int, TestFailure>(), TestScheduler())
            source.signal.timeout(after: .seconds(1), failingWith: .e, on: scheduler)
                .observe { _ in outsider.visit { source.send(2) } }
            scheduler.advance(by: .seconds(2))
        },
    ]

    static let schedulers = [
        ForeignCall("the immediate scheduler") { outsider in
            ImmediateScheduler().schedule { outsider.visit { ImmediateScheduler().schedule {} } }
        },
        ForeignCall("a manual scheduler") { outsider in
            let scheduler = ManualScheduler()
            scheduler.schedule { outsider.visit { scheduler.schedule {}.dispose() } }
            scheduler.drain()
        },
        ForeignCall("a test scheduler") { outsider in
            let scheduler = TestScheduler()
            scheduler.schedule(after: .seconds(1), repeatingEvery: .seconds(1)) {
                outsider.visit { scheduler.schedule(after: .seconds(1)) {}.dispose() }
            }
            scheduler.advance(by: .seconds(2))
        },
        ForeignCall("a serial scheduler") { outsider in
            let (scheduler, done) = (SerialScheduler(label: "outsider"), Latch())
            scheduler.schedule {
                outsider.visit { scheduler.schedule {}.dispose() }
                done.open()
            }
            done.wait()
        },
        ForeignCall("work that asks for itself again") { outsider in
            let scheduler = ManualScheduler()
            scheduler.scheduleRecursively { again in
                outsider.visit { again() }
            }
            scheduler.drain()
        },
        ForeignCall("what prevented work holds") { outsider in
            let (manual, test) = (ManualScheduler(), TestScheduler())
            for scheduler in [manual, test] as [any Scheduler] {
                let farewell = Farewell(outsider) { scheduler.schedule {} }
                scheduler.schedule { [farewell] in farewell.hold() }.dispose()
            }
        },
        ForeignCall("what the work of a scheduler that goes away holds") { outsider in
            let subject = Subject<Int, Never>()
            let farewell = Farewell(outsider) { subject.send(1) }
            TestScheduler().schedule(after: .seconds(1)) { [farewell] in farewell.hold() }
        },
    ]
}
