/// A recipe for events: any number of values, then at most one end.
///
/// Observing a signal runs its body, once per observer, in place: what the body sends synchronously arrives before the
/// call returns. What is shared between observers is made by ``Subject`` and ``Connection``. A signal that cannot fail
/// has the failure type `Never`.
///
/// Isolation: signals are values and may be observed from any thread; events come on the thread that sends them.
/// Semantics: docs/semantics.md, signal-1 to signal-12. ReactiveObjC: RACSignal, whose body may move to another thread
/// by itself.
public struct Signal<Value: Sendable, Failure: Error>: Sendable {
    /// Feeds one sink with events that come one after another.
    @usableFromInline let body: @Sendable (Sink<Value, Failure>) -> Void

    /// Makes a signal of a body that needs no undoing.
    ///
    /// - Parameter body: Runs for each observer; sends into the sink, then or later, from any thread.
    @inlinable
    public init(_ body: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
        self.init(serial: { body($0.serialized()) })
    }

    /// Makes a signal of a body that says how to undo its work.
    ///
    /// - Parameter body: Runs for each observer; sends into the sink, then or later, from any thread. What it returns is
    ///   disposed once: after the end has been delivered, or when the subscription is disposed, at once if either has
    ///   happened by then.
    @inlinable
    public init<Teardown: Disposable>(_ body: @escaping @Sendable (Sink<Value, Failure>) -> Teardown) {
        self.init(serial: { sink in
            sink.subscription.add(body(sink.serialized()))
        })
    }

    /// Makes a signal of a body whose events come one after another already: each send returns before the next begins.
    @inlinable
    init(serial body: @escaping @Sendable (Sink<Value, Failure>) -> Void) {
        self.body = body
    }
}

/// Something that can be observed as a signal: a signal, a subject, a connection, a property.
public protocol SignalSource<Value, Failure>: Sendable {
    /// What it carries.
    associatedtype Value: Sendable
    /// How it can fail; `Never` if it cannot.
    associatedtype Failure: Error

    /// The events, without whatever else the source can do.
    var signal: Signal<Value, Failure> { get }
}

extension Signal: SignalSource {
    /// The signal itself.
    @inlinable
    public var signal: Signal<Value, Failure> { self }
}
