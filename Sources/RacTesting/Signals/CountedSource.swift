package import Rac

/// A created signal that forwards another and counts its runs and its teardowns.
package struct CountedSource<Value: Sendable, Failure: Error>: SignalSource {
    /// The number of runs of the body.
    package let runs: Counter
    /// The number of teardowns.
    package let teardowns: Counter
    /// The signal that is counted.
    package let signal: Signal<Value, Failure>

    /// Counts the runs of `source`.
    package init(_ source: some SignalSource<Value, Failure>) {
        let (runs, teardowns) = (Counter(), Counter())
        (self.runs, self.teardowns) = (runs, teardowns)
        self.signal = Signal { sink in
            runs.increment()
            source.observe(into: sink)
            return AnyDisposable { teardowns.increment() }
        }
    }

    /// The number of present subscriptions.
    package var subscribers: Int { self.runs.count - self.teardowns.count }
}
