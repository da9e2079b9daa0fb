package import Rac

/// An observer that notes each event, in order.
package final class Recorder<Value: Sendable, Failure: Error>: Sendable {
    private let log = Log<Event<Value, Failure>>()
    private let handle = SerialDisposable()

    /// Makes a recorder without a source.
    package init() {}

    /// Makes a recorder that observes `source`.
    package convenience init(_ source: some SignalSource<Value, Failure>) {
        self.init()
        self.observe(source)
    }

    /// The events so far.
    package var events: [Event<Value, Failure>] { self.log.entries }

    /// The values among ``events``.
    package var values: [Value] { self.events.compactMap(\.value) }

    /// Whether the subscription is over, by disposal or by the end.
    package var isDisposed: Bool { self.handle.inner?.isDisposed ?? false }

    /// Notes the events of `source`, also those that it sends before observing returns.
    package func observe(_ source: some SignalSource<Value, Failure>) {
        let log = self.log
        self.handle.inner = source.observe { log.append($0) }
    }

    /// Stops listening.
    package func dispose() {
        self.handle.dispose()
    }
}

/// The events of a list of values and of an end, if there is one.
package func events<Value, Failure>(
    _ values: Value...,
    then ending: Ending<Failure>? = nil
) -> [Event<Value, Failure>] {
    values.map { .value($0) } + (ending.map { [Event($0)] } ?? [])
}
