extension Signal {
    /// Calls functions for the events, before the observer gets them.
    ///
    /// The events do not change. Disposal calls no function. Semantics: docs/semantics.md, C045. ReactiveObjC:
    /// RACSignal doNext:, doError: and doCompleted:.
    ///
    /// - Parameters:
    ///   - value: Called with each value.
    ///   - failed: Called with the failure, if one comes.
    ///   - completed: Called at completion.
    /// - Returns: The source's events, unchanged.
    @inlinable
    public func on(
        value: (@Sendable (Value) -> Void)? = nil,
        failed: (@Sendable (Failure) -> Void)? = nil,
        completed: (@Sendable () -> Void)? = nil
    ) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            self.body(
                Sink(
                    sink.subscription,
                    value: {
                        value?($0)
                        sink.send($0)
                    },
                    end: { ending in
                        switch ending {
                        case .completed: completed?()
                        case .failed(let failure): failed?(failure)
                        }
                        sink.finish(ending)
                    }
                )
            )
        })
    }

    /// Calls a function each time the signal is observed, before its body runs.
    ///
    /// Of several, the outermost, which was applied last, is called first. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACSignal initially:.
    ///
    /// - Parameter action: Called once per observer.
    /// - Returns: The source's events, unchanged.
    @inlinable
    public func initially(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            action()
            self.body(sink)
        })
    }

    /// Calls a function at completion or failure, before the observer gets it.
    ///
    /// Disposal does not call it, so resources belong in a signal's teardown instead. Semantics: docs/semantics.md,
    /// "Operators". ReactiveObjC: RACSignal finally:.
    ///
    /// - Parameter action: Called at most once per observer.
    /// - Returns: The source's events, unchanged.
    @inlinable
    public func finally(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
        self.on(failed: { _ in action() }, completed: action)
    }

    /// Writes a line for each event, before the observer gets it.
    ///
    /// It serves to examine a pipeline; the lines hold the values. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACSignal logAll.
    ///
    /// - Parameters:
    ///   - name: The beginning of each line.
    ///   - write: Gets the lines; the default is the standard output.
    /// - Returns: The source's events, unchanged.
    public func logged(
        as name: String,
        to write: @escaping @Sendable (String) -> Void = { print($0) }
    ) -> Signal<Value, Failure> {
        self.on(
            value: { write("\(name) next: \($0)") },
            failed: { write("\(name) error: \($0)") },
            completed: { write("\(name) completed") }
        )
    }
}
