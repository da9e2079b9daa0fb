extension Signal {
    /// Shares one run of this signal through a subject, from ``Connection/connect()`` on.
    ///
    /// - Parameter subject: Gets each event, the end too; usually made for this purpose.
    /// - Returns: A connection that has not started.
    public func multicast<Subject: EventReceiver & SignalSource>(into subject: Subject) -> Connection<Value, Failure>
    where Subject.Value == Value, Subject.Failure == Failure {
        Connection(self, into: subject)
    }

    /// Shares one run of this signal; late observers get only later events, and the end.
    ///
    /// - Returns: A connection that has not started.
    public func publish() -> Connection<Value, Failure> {
        self.multicast(into: Subject<Value, Failure>())
    }

    /// Runs this signal now, once, and replays each event to each observer, however late.
    ///
    /// The run cannot be stopped, and each value is kept as long as the result or the run lives. Semantics:
    /// docs/semantics.md, connection-8.
    ///
    /// - Returns: A signal of all events of that run.
    public func replayed() -> Signal<Value, Failure> {
        let connection = self.multicast(into: ReplaySubject<Value, Failure>(capacity: .unlimited))
        connection.connect()
        return connection.signal
    }

    /// Runs this signal now, once, and replays the last value and the end to each observer.
    ///
    /// The run cannot be stopped. Semantics: docs/semantics.md, connection-9.
    ///
    /// - Returns: A signal of the run's last value and all later events.
    public func replayedLast() -> Signal<Value, Failure> {
        let connection = self.multicast(into: ReplaySubject<Value, Failure>(capacity: 1))
        connection.connect()
        return connection.signal
    }

    /// Runs this signal once, from the first observer on, and replays each event to each observer.
    ///
    /// The run goes on when that observer leaves, and cannot be stopped. Semantics: docs/semantics.md, connection-10.
    ///
    /// - Returns: A signal of all events of that run.
    public func replayedLazily() -> Signal<Value, Failure> {
        let connection = self.multicast(into: ReplaySubject<Value, Failure>(capacity: .unlimited))
        return Signal(serial: { sink in
            connection.signal.body(sink)
            connection.connect()
        })
    }
}
