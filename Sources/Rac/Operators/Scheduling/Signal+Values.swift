extension Signal {
    /// Makes a signal that sends the elements of a sequence on a scheduler, one per turn, and completes in one more turn.
    ///
    /// On the immediate scheduler all come before observing returns. Disposal between two turns stops it. Semantics:
    /// docs/semantics.md, C195, C199. ReactiveObjC: RACSequence signalWithScheduler:.
    ///
    /// - Parameters:
    ///   - values: The sequence. Each observer iterates it anew, as far as it listens.
    ///   - scheduler: Delivers the values.
    @inlinable
    public init<Values: Sequence & Sendable>(values: Values, on scheduler: some Scheduler)
    where Values.Element == Value {
        self.init(serial: { sink in
            let iterator = SerialCell(values.makeIterator())
            let handle = scheduler.scheduleRecursively { again in
                guard !sink.isClosed else { return }
                guard let value = iterator.state.next() else { return sink.complete() }
                sink.send(value)
                again()
            }
            sink.subscription.add(handle)
        })
    }

    /// A signal of work that begins now, on a scheduler, once; each observer gets a replay.
    ///
    /// The run cannot be stopped, and each value is kept. Semantics: docs/semantics.md, signal-11. ReactiveObjC:
    /// RACSignal startEagerlyWithScheduler:block:.
    ///
    /// - Parameters:
    ///   - scheduler: Starts the work.
    ///   - body: Runs once. It sends into the sink, then or later, from any thread.
    /// - Returns: A signal of all events of that run.
    public static func startedEagerly(
        on scheduler: some Scheduler,
        _ body: @escaping @Sendable (Sink<Value, Failure>) -> Void
    ) -> Signal<Value, Failure> {
        Signal(body).subscribe(on: scheduler).replayed()
    }

    /// A signal of work that begins with the first observer, on a scheduler, once; each observer gets a replay.
    ///
    /// The run goes on when that observer leaves, and each value is kept. Semantics: docs/semantics.md, signal-11.
    /// ReactiveObjC: RACSignal startLazilyWithScheduler:block:.
    ///
    /// - Parameters:
    ///   - scheduler: Starts the work.
    ///   - body: Runs at most once. It sends into the sink, then or later, from any thread.
    /// - Returns: A signal of all events of that run.
    public static func startedLazily(
        on scheduler: some Scheduler,
        _ body: @escaping @Sendable (Sink<Value, Failure>) -> Void
    ) -> Signal<Value, Failure> {
        Signal(body).subscribe(on: scheduler).replayedLazily()
    }
}
