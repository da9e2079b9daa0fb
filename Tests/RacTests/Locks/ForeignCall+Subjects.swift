import Rac
import RacTesting

extension ForeignCall {
    /// Uses a subject as any thread may.
    @Sendable
    private static func use<Subject: EventReceiver & SignalSource>(_ subject: Subject)
    where Subject.Value == Int, Subject.Failure == TestFailure {
        subject.observe { _ in }.dispose()
        subject.send(7)
    }

    static let subjects = [
        ForeignCall("a subject's observer") { outsider in
            let subject = Subject<Int, TestFailure>()
            subject.observe { _ in outsider.visit { Self.use(subject) } }
            subject.send(1)
            subject.complete()
        },
        ForeignCall("a replay subject's observer") { outsider in
            let subject = ReplaySubject<Int, TestFailure>(capacity: 2)
            subject.observe { _ in outsider.visit { Self.use(subject) } }
            subject.send(1)
            subject.complete()
        },
        ForeignCall("an observer that a replay subject replays to") { outsider in
            let subject = ReplaySubject<Int, TestFailure>(capacity: 2)
            subject.send(1)
            subject.observe { _ in outsider.visit { Self.use(subject) } }
            subject.fail(.e)
            subject.observe { _ in outsider.visit { Self.use(subject) } }
        },
        ForeignCall("a value that a replay subject drops") { outsider in
            let subject = ReplaySubject<Farewell?, Never>(capacity: 1)
            subject.send(Farewell(outsider) { subject.observe { _ in }.dispose() })
            subject.send(nil)
        },
        ForeignCall("what an observer of a subject holds") { outsider in
            let subject = Subject<Int, TestFailure>()
            let farewell = Farewell(outsider) { Self.use(subject) }
            subject.observe { [farewell] _ in farewell.hold() }.dispose()
        },
        ForeignCall("what an observer of a replay subject holds") { outsider in
            let subject = ReplaySubject<Int, TestFailure>(capacity: 2)
            let farewell = Farewell(outsider) { Self.use(subject) }
            subject.observe { [farewell] _ in farewell.hold() }.dispose()
        },
        ForeignCall("what the observers of subjects that go away hold") { outsider in
            let subject = Subject<Int, TestFailure>()
            let signals = [subject.signal, ReplaySubject<Int, TestFailure>(capacity: 1).signal]
            for gone in [Subject<Int, TestFailure>().signal] + signals {
                let farewell = Farewell(outsider) { gone.observe { _ in }.dispose() }
                gone.observe { [farewell] _ in farewell.hold() }
            }
        },
        ForeignCall("the body of a connected signal") { outsider in
            let body = Log<Connection<Int, TestFailure>>()
            let connection = Signal<Int, TestFailure> { sink in
                outsider.visit { for connection in body.entries { connection.connect() } }
                sink.send(1)
            }.publish()
            body.append(connection)
            connection.signal.observe { _ in outsider.visit { connection.autoconnected().observe { _ in } } }
            connection.connect()
        },
        ForeignCall("a lifetime's observer") { outsider in
            var lifetime: Lifetime? = Lifetime()
            let ended = lifetime?.ended ?? .never
            ended.observe { _ in outsider.visit { ended.observe { _ in } } }
            lifetime = nil
        },
    ]

    static let teardowns = [
        ForeignCall("a plain disposable's action") { outsider in
            let handles = Log<any Disposable>()
            let disposable = AnyDisposable {
                outsider.visit { for handle in handles.entries where handle.isDisposed { handle.dispose() } }
            }
            handles.append(disposable)
            disposable.dispose()
        },
        ForeignCall("a member of a composite") { outsider in
            let composite = CompositeDisposable()
            composite.add(AnyDisposable { outsider.visit { composite.add(AnyDisposable {}) } })
            composite.dispose()
            composite.add(AnyDisposable { outsider.visit { composite.dispose() } })
        },
        ForeignCall("what a serial disposable holds") { outsider in
            let serial = SerialDisposable()
            serial.inner = AnyDisposable { outsider.visit { serial.inner = nil } }
            serial.inner = AnyDisposable { outsider.visit { serial.inner = AnyDisposable {} } }
            serial.dispose()
            serial.inner = AnyDisposable { outsider.visit { serial.dispose() } }
        },
        ForeignCall("what an action holds") { outsider in
            let handles = Log<any Disposable>()
            let farewell = Farewell(outsider) { for handle in handles.entries { handle.dispose() } }
            let disposable = AnyDisposable { [farewell] in farewell.hold() }
            handles.append(disposable)
            disposable.dispose()
        },
        ForeignCall("a signal's teardown") { outsider in
            let (sinks, handles) = (Log<Sink<Int, Never>>(), Log<Subscription>())
            let signal = Signal<Int, Never> { sink in
                sinks.append(sink)
                return AnyDisposable {
                    outsider.visit {
                        for sink in sinks.entries { sink.send(1) }
                        for handle in handles.entries { handle.dispose() }
                    }
                }
            }
            handles.append(signal.onValue { _ in })
            handles.append(signal.onValue { _ in })
            handles.entries.first?.dispose()
            sinks.entries.last?.complete()
        },
        ForeignCall("a created signal's observer") { outsider in
            let sinks = Log<Sink<Int, Never>>()
            Signal<Int, Never> { sinks.append($0) }
                .observe { _ in outsider.visit { for sink in sinks.entries { sink.send(7) } } }
            for sink in sinks.entries {
                sink.send(1)
                sink.complete()
            }
        },
    ]
}
