extension Signal {
    /// Calls functions for what passes, before the observer hears it.
    ///
    /// Nothing else changes. None is called on disposal. Semantics: docs/semantics.md, C045. ReactiveObjC: RACSignal
    /// doNext:, doError: and doCompleted:.
    ///
    /// - Parameters:
    ///   - value: Called with each value.
    ///   - failed: Called with the failure, if one comes.
    ///   - completed: Called at completion.
    /// - Returns: The same events.
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
    /// Of several the outermost, which was applied last, is called first. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACSignal initially:.
    ///
    /// - Parameter action: Called once per observer.
    /// - Returns: The same events.
    @inlinable
    public func initially(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            action()
            self.body(sink)
        })
    }

    /// Calls a function at completion or failure, before the observer hears of it.
    ///
    /// Not on disposal, so it is no place to give up resources: that is a signal's teardown. Semantics:
    /// docs/semantics.md, "Operators". ReactiveObjC: RACSignal finally:.
    ///
    /// - Parameter action: Called at most once per observer.
    /// - Returns: The same events.
    @inlinable
    public func finally(_ action: @escaping @Sendable () -> Void) -> Signal<Value, Failure> {
        self.on(failed: { _ in action() }, completed: action)
    }

    /// Writes a line for each event, before the observer hears it.
    ///
    /// For finding out what a pipeline does; lines hold the values. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACSignal logAll.
    ///
    /// - Parameters:
    ///   - name: Begins each line.
    ///   - write: Gets the lines; the standard output if there is none.
    /// - Returns: The same events.
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
