/// A recipe for events: any number of values, then at most one end.
///
/// Observing a signal runs its body, once per observer, in place. Events that the body sends synchronously arrive
/// before the call returns. ``Subject`` and ``Connection`` share one run among observers. A signal that cannot fail has
/// the failure type `Never`.
///
/// Isolation: signals are values, and any thread may observe them; events come on the sending thread. Semantics:
/// docs/semantics.md, signal-1 to signal-12. ReactiveObjC: RACSignal, whose body may move to another thread by itself.
public struct Signal<Value: Sendable, Failure: Error>: Sendable {
    /// Feeds one sink with events that come one after another.
    @usableFromInline let body: @Sendable (Sink<Value, Failure>) -> Void

    /// Makes a signal of a body without a teardown.
    ///
    /// - Parameter body: Runs for each observer. It sends into the sink, then or later, from any thread.
    @inlinable
    public init(_ body: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
        self.init(serial: { body($0.serialized()) })
    }

    /// Makes a signal of a body that returns a teardown.
    ///
    /// - Parameter body: Runs for each observer. It sends into the sink, then or later, from any thread. Its result is
    ///   disposed once: behind the end, or when the subscription is disposed; at once if either has happened.
    @inlinable
    public init<Teardown: Disposable>(_ body: @escaping @Sendable (Sink<Value, Failure>) -> Teardown) {
        self.init(serial: { sink in
            sink.subscription.add(body(sink.serialized()))
        })
    }

    /// Makes a signal of a body whose events already come one after another: each send returns before the next begins.
    @inlinable
    init(serial body: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
        self.body = body
    }
}

/// An object that can be observed as a signal: a signal, a subject, a connection, a property.
public protocol SignalSource<Value, Failure>: Sendable {
    /// The type of the values.
    associatedtype Value: Sendable
    /// The type of a failure; `Never` if there is none.
    associatedtype Failure: Error

    /// The events alone, without the other abilities of the source.
    var signal: Signal<Value, Failure> { get }
}

extension Signal: SignalSource {
    /// The signal itself.
    @inlinable
    public var signal: Signal<Value, Failure> { self }
}
