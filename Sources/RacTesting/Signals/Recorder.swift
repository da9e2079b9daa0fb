package import Rac

/// An observer that notes every event it hears, in order.
package final class Recorder<Value: Sendable, Failure: Error>: Sendable {
    private let log = Log<Event<Value, Failure>>()
    private let handle = SerialDisposable()

    /// Makes a recorder that observes nothing yet.
    package init() {}

    /// Makes a recorder that observes `source`.
    package convenience init(_ source: some SignalSource<Value, Failure>) {
        self.init()
        self.observe(source)
    }

    /// What has been heard until now.
    package var events: [Event<Value, Failure>] { self.log.entries }

    /// The values among ``events``.
    package var values: [Value] { self.events.compactMap(\.value) }

    /// Whether the subscription is over, by disposal or by the end.
    package var isDisposed: Bool { self.handle.inner?.isDisposed ?? false }

    /// Notes what `source` says, also while observing has not returned.
    package func observe(_ source: some SignalSource<Value, Failure>) {
        let log = self.log
        self.handle.inner = source.observe { log.append($0) }
    }

    /// Stops listening.
    package func dispose() {
        self.handle.dispose()
    }
}

/// The events of a list of values and, perhaps, an end.
package func events<Value, Failure>(
    _ values: Value...,
    then ending: Ending<Failure>? = nil
) -> [Event<Value, Failure>] {
    values.map { .value($0) } + (ending.map { [Event($0)] } ?? [])
}
