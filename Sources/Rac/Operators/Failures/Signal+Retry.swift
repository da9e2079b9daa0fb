extension Signal {
    /// Observes the source again after a failure, a limited number of times.
    ///
    /// The values of all runs pass. The failure of the last run passes; completion passes at once. Disposal stops it.
    /// Runs that fail synchronously use no more stack. Semantics: docs/semantics.md, C106. ReactiveObjC: RACSignal
    /// retry:, in which 0 means for ever.
    ///
    /// - Parameters:
    ///   - count: The number of further runs, 0 or more.
    ///   - scheduler: Starts each run, the first too.
    /// - Returns: The values of `count` + 1 runs or fewer, and the end of the last.
    @inlinable
    public func retry(
        upTo count: Int,
        on scheduler: some Scheduler = ImmediateScheduler()
    ) -> Signal<Value, Failure> {
        precondition(count >= 0, "A signal cannot be retried a negative number of times.")
        return self.rerun(on: scheduler) { ending, runs in
            if case .failed = ending { runs <= count } else { false }
        }
    }

    /// Observes the source again after each failure, until it completes.
    ///
    /// On the immediate scheduler, observing a source that always fails synchronously never returns. Otherwise it works
    /// like ``retry(upTo:on:)``. Semantics: docs/semantics.md, C107. ReactiveObjC: RACSignal retry.
    ///
    /// - Parameter scheduler: Starts each run, the first too.
    /// - Returns: The values of all runs, and completion.
    @inlinable
    public func retry(on scheduler: some Scheduler = ImmediateScheduler()) -> Signal<Value, Failure> {
        self.rerun(on: scheduler) { ending, _ in
            if case .failed = ending { true } else { false }
        }
    }

    /// Observes the source again each time it completes.
    ///
    /// A failure or disposal ends it. On the immediate scheduler, observing a source that always completes
    /// synchronously returns only if an operator downstream ends, as ``take(_:)`` does. Runs use no more stack.
    /// Semantics: docs/semantics.md, C108. ReactiveObjC: RACSignal repeat.
    ///
    /// - Parameter scheduler: Starts each run, the first too.
    /// - Returns: The values of all runs; only a failure ends it.
    @inlinable
    public func repeated(on scheduler: some Scheduler = ImmediateScheduler()) -> Signal<Value, Failure> {
        self.rerun(on: scheduler) { ending, _ in
            if case .completed = ending { true } else { false }
        }
    }

    /// Runs the source again while `goesOn` returns true for the end and the number of runs so far.
    @inlinable
    func rerun(
        on scheduler: some Scheduler,
        while goesOn: @escaping @Sendable (Ending<Failure>, _ runs: Int) -> Bool
    ) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            let runs = SerialCell(0)
            let handle = scheduler.scheduleRecursively { again in
                guard !sink.isClosed else { return }
                runs.state += 1
                self.start(
                    in: sink.subscription,
                    value: { sink.send($0) },
                    end: { if goesOn($0, runs.state) { again() } else { sink.end($0) } }
                )
            }
            sink.subscription.add(handle)
        })
    }
}
