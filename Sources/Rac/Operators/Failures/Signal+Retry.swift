extension Signal {
    /// Observes the source again after a failure, a limited number of times.
    ///
    /// Values of all runs pass. After the last run its failure passes; completion passes at once. Disposal stops it.
    /// Runs that fail synchronously do not use up the stack. Semantics: docs/semantics.md, C106. ReactiveObjC:
    /// RACSignal retry:; unlike there, 0 is none.
    ///
    /// - Parameters:
    ///   - count: How many times more the source may run, 0 or more.
    ///   - scheduler: Where each run starts, the first too.
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
    /// On the immediate scheduler a source that always fails synchronously never returns from observing. Otherwise as
    /// ``retry(upTo:on:)``. Semantics: docs/semantics.md, C107. ReactiveObjC: RACSignal retry.
    ///
    /// - Parameter scheduler: Where each run starts, the first too.
    /// - Returns: The values of all runs, and completion.
    @inlinable
    public func retry(on scheduler: some Scheduler = ImmediateScheduler()) -> Signal<Value, Failure> {
        self.rerun(on: scheduler) { ending, _ in
            if case .failed = ending { true } else { false }
        }
    }

    /// Observes the source again each time it completes.
    ///
    /// A failure ends it, and disposal does. On the immediate scheduler a source that always completes synchronously
    /// returns from observing only if something downstream ends, as ``take(_:)`` does. Runs do not use up the stack.
    /// Semantics: docs/semantics.md, C108. ReactiveObjC: RACSignal repeat.
    ///
    /// - Parameter scheduler: Where each run starts, the first too.
    /// - Returns: The values of all runs, without an end but a failure.
    @inlinable
    public func repeated(on scheduler: some Scheduler = ImmediateScheduler()) -> Signal<Value, Failure> {
        self.rerun(on: scheduler) { ending, _ in
            if case .completed = ending { true } else { false }
        }
    }

    /// Runs the source again as long as `goesOn` says so of the end and the number of runs until then.
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
