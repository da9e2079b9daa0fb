internal import Synchronization

/// One run of a signal for many observers: ``connect()`` observes the source once, into a subject.
///
/// A connection never restarts. Neither another connect nor a new observer runs the source a second time, also after
/// the disposal of the handle. Semantics: docs/semantics.md, connection-1 to connection-11. ReactiveObjC:
/// RACMulticastConnection.
///
/// Guards: `isStarted` is atomic, `audience` guards itself, the rest is constant.
public final class Connection<Value: Sendable, Failure: Error>: SignalSource {
    /// The source's events once connected.
    ///
    /// The subject decides how many of them late observers get.
    public let signal: Signal<Value, Failure>

    private let start: @Sendable (Subscription) -> Void
    private let audience = Audience()
    private let isStarted = Atomic(false)

    /// Makes a connection that has not started.
    init<Subject: EventReceiver & SignalSource>(_ source: Signal<Value, Failure>, into subject: Subject)
    where Subject.Value == Value, Subject.Failure == Failure {
        self.signal = subject.signal
        self.start = { source.start($0, value: { subject.send($0) }, end: { subject.end($0) }) }
    }

    /// Starts the source, at the first call.
    ///
    /// - Returns: The handle of the run, the same for each call. Disposing it stops the source; observers get nothing
    ///   more, not even an end.
    @discardableResult
    public func connect() -> Subscription {
        if !self.isStarted.exchange(true, ordering: .acquiringAndReleasing) {
            self.start(self.audience.run)
        }
        return self.audience.run
    }

    /// A signal that starts the source with its first observer, stops it with its last, and never starts it again.
    ///
    /// The first observer is attached before the source runs, so it misses nothing (connection-7). After the last has
    /// left, new observers get the subject's stored values and nothing more (connection-6).
    ///
    /// - Returns: A signal of the connection's events.
    public func autoconnected() -> Signal<Value, Failure> {
        Signal(serial: { sink in
            self.audience.enter(sink.subscription)
            self.signal.body(sink)
            self.connect()
        })
    }
}

/// The observers of a connection that stops with the last of them.
///
/// It does not know the subject: no reference of an observer's subscription may lead back to the observer.
private final class Audience: Sendable {
    /// The handle of the connection's one run.
    let run = Subscription()
    private let count = Atomic(0)

    func enter(_ observer: Subscription) {
        self.count.add(1, ordering: .acquiringAndReleasing)
        observer.add(AnyDisposable { self.leave() })
    }

    private func leave() {
        if self.count.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 {
            self.run.dispose()
        }
    }
}
