extension Signal {
    /// Sends a value before those of this signal.
    ///
    /// Empty `[value, done]`, failing `[value, …, fail]`, never `[value]`. Semantics: docs/semantics.md, C025.
    /// ReactiveObjC: RACStream startWith:.
    ///
    /// - Parameter value: Sent to each observer before the source is observed.
    /// - Returns: The value, then all events of the source.
    @inlinable
    public func starting(with value: Value) -> Signal<Value, Failure> {
        Signal(serial: { sink in
            sink.send(value)
            if !sink.isClosed { self.body(sink) }
        })
    }
}
