package import Rac

/// A created signal that forwards another and counts its runs and its teardowns.
package struct CountedSource<Value: Sendable, Failure: Error>: SignalSource {
    /// How often the body has run.
    package let runs: Counter
    /// How often it has been undone.
    package let teardowns: Counter
    /// The signal that is counted.
    package let signal: Signal<Value, Failure>

    /// Counts what becomes of `source`.
    package init(_ source: some SignalSource<Value, Failure>) {
        let (runs, teardowns) = (Counter(), Counter())
        (self.runs, self.teardowns) = (runs, teardowns)
        self.signal = Signal { sink in
            runs.increment()
            source.observe(into: sink)
            return AnyDisposable { teardowns.increment() }
        }
    }

    /// How many subscriptions there are now.
    package var subscribers: Int { self.runs.count - self.teardowns.count }
}
