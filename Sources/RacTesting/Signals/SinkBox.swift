package import Rac

/// Keeps the sinks that a body gets, in order, for the test to send into.
package final class SinkBox<Value: Sendable, Failure: Error>: SignalSource {
    private let log = Log<Sink<Value, Failure>>()
    /// The number of teardowns of subscriptions to ``signal``.
    package let teardowns = Counter()

    /// Makes an empty box.
    package init() {}

    /// The sinks so far.
    package var sinks: [Sink<Value, Failure>] { self.log.entries }

    /// A signal whose body only keeps its sink.
    package var signal: Signal<Value, Failure> {
        Signal { sink in
            self.log.append(sink)
            return AnyDisposable { self.teardowns.increment() }
        }
    }
}
