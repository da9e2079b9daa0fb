// Names of Combine, so that the compiler names the ones of this library. None can be called.

extension SignalSource where Failure == Never {
    /// Combine's name of ``SignalSource/onValue(_:)``, which goes on when its handle is dropped.
    @available(*, unavailable, renamed: "onValue(_:)")
    @discardableResult
    public func sink(receiveValue: @escaping @Sendable (Value) -> Void) -> Subscription { self.onValue(receiveValue) }
}

extension SignalSource {
    /// Combine's name of ``SignalSource/observe(value:end:)``.
    @available(*, unavailable, message: "observe(value:end:) calls a closure with each value and one with the end")
    @discardableResult
    public func sink(
        receiveCompletion: @escaping @Sendable (Ending<Failure>) -> Void,
        receiveValue: @escaping @Sendable (Value) -> Void
    ) -> Subscription { self.observe(value: receiveValue, end: receiveCompletion) }

    /// Combine's name of ``Signal/deliver(on:)``.
    @available(*, unavailable, renamed: "deliver(on:)")
    public func receive<Place>(on scheduler: Place) -> Signal<Value, Failure> { self.signal }

    /// Combine's name of `bind(to:_:)`.
    @available(*, unavailable, message: "bind(to: object, \\.label) sets a property of an object of the main actor")
    @discardableResult
    public func assign<Object>(to path: ReferenceWritableKeyPath<Object, Value>, on object: Object) -> Subscription {
        Subscription()
    }

    /// Combine's erasure, which signals do not need: all are of the type ``Signal``.
    @available(
        *,
        unavailable,
        message: "there is nothing to erase: every signal is a Signal, and an object has its own as .signal"
    )
    public func eraseToAnyPublisher() -> Signal<Value, Failure> { self.signal }

    /// Combine's name of ``Signal/combineLatest(with:)``.
    @available(*, unavailable, renamed: "combineLatest(with:)")
    public func combineLatest<Other: SignalSource>(_ other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Failure { self.signal.combineLatest(with: other) }

    /// Combine's way to combine and map, which is a function here.
    @available(*, unavailable, message: "combineLatest(one, other) { … } is a function")
    public func combineLatest<Other: SignalSource, Output>(
        _ other: Other,
        _ transform: @escaping @Sendable (Value, Other.Value) -> Output
    ) -> Signal<Output, Failure> where Other.Failure == Failure {
        Rac.combineLatest(self.signal, other.signal, transform: transform)
    }

    /// Combine's name of ``Signal/zip(with:)``.
    @available(*, unavailable, renamed: "zip(with:)")
    public func zip<Other: SignalSource>(_ other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Failure { self.signal.zip(with: other) }

    /// Another name of ``Signal/delay(by:on:)``.
    @available(*, unavailable, renamed: "delay(by:on:)")
    public func delay<Place>(for interval: Duration, on scheduler: Place) -> Signal<Value, Failure> { self.signal }

    /// Combine's name of ``Signal/delay(by:on:)``.
    @available(*, unavailable, renamed: "delay(by:on:)")
    public func delay<Place>(for interval: Duration, scheduler: Place) -> Signal<Value, Failure> { self.signal }

    /// Combine's name of ``Signal/debounce(for:on:)``.
    @available(*, unavailable, renamed: "debounce(for:on:)")
    public func debounce<Place>(for interval: Duration, scheduler: Place) -> Signal<Value, Failure> { self.signal }

    /// Combine's name of ``Signal/throttle(for:on:)``.
    @available(*, unavailable, message: "throttle(for:on:) passes the newest value of each interval on")
    public func throttle<Place>(for interval: Duration, scheduler: Place, latest: Bool) -> Signal<Value, Failure> {
        self.signal
    }

    /// Combine's name of ``Signal/starting(with:)``.
    @available(*, unavailable, renamed: "starting(with:)")
    public func prepend(_ value: Value) -> Signal<Value, Failure> { self.signal }

    /// Combine's name of ``Signal/skip(_:)``.
    @available(*, unavailable, renamed: "skip(_:)")
    public func dropFirst(_ count: Int = 1) -> Signal<Value, Failure> { self.signal }

    /// Combine's name of ``Signal/take(_:)``.
    @available(*, unavailable, renamed: "take(_:)")
    public func prefix(_ count: Int) -> Signal<Value, Failure> { self.signal }

    /// The name of ``Signal/mapFailure(_:)`` in Combine and ReactiveSwift.
    @available(*, unavailable, renamed: "mapFailure(_:)")
    public func mapError<NewFailure>(
        _ transform: @escaping @Sendable (Failure) -> NewFailure
    ) -> Signal<Value, NewFailure> { self.signal.mapFailure(transform) }

    /// Combine's name of ``Signal/on(value:failed:completed:)``.
    @available(*, unavailable, renamed: "on(value:)")
    public func handleEvents(receiveOutput: @escaping @Sendable (Value) -> Void) -> Signal<Value, Failure> {
        self.signal
    }
}
