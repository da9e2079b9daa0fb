// Operators of signals, for which a property has a signal: the compiler shows the way to them. None can be called.
//
// A property of a property, which has a value to read, comes of `map`, `removeDuplicates` and `combineLatest`.

extension SignalSource where Self: StateSource {
    /// An operator of the property's signal: ``Signal/filter(_:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.filter(_:)")
    public func filter(_ isIncluded: @escaping @Sendable (Value) -> Bool) -> Signal<Value, Failure> {
        self.signal.filter(isIncluded)
    }

    /// An operator of the property's signal: ``Signal/compactMap(_:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.compactMap(_:)")
    public func compactMap<Output>(_ transform: @escaping @Sendable (Value) -> Output?) -> Signal<Output, Failure> {
        self.signal.compactMap(transform)
    }

    /// An operator of the property's signal: ``Signal/flatMap(_:_:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.flatMap(_:_:)")
    public func flatMap<Output>(
        _ strategy: FlattenStrategy,
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> { self.signal.flatMap(strategy, transform) }

    /// An operator of the property's signal: ``Signal/scan(_:_:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.scan(_:_:)")
    public func scan<Result: Sendable>(
        _ initial: Result,
        _ next: @escaping @Sendable (Result, Value) -> Result
    ) -> Signal<Result, Failure> { self.signal.scan(initial, next) }

    /// An operator of the property's signal: ``Signal/skip(_:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.skip(_:)")
    public func skip(_ count: Int) -> Signal<Value, Failure> { self.signal.skip(count) }

    /// An operator of the property's signal: ``Signal/take(_:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.take(_:)")
    public func take(_ count: Int) -> Signal<Value, Failure> { self.signal.take(count) }

    /// An operator of the property's signal: ``Signal/debounce(for:on:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.debounce(for:on:)")
    public func debounce(for interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
        self.signal.debounce(for: interval, on: scheduler)
    }

    /// An operator of the property's signal: ``Signal/throttle(for:on:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.throttle(for:on:)")
    public func throttle(for interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
        self.signal.throttle(for: interval, on: scheduler)
    }

    /// An operator of the property's signal: ``Signal/delay(by:on:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.delay(by:on:)")
    public func delay(by interval: Duration, on scheduler: some TimedScheduler) -> Signal<Value, Failure> {
        self.signal.delay(by: interval, on: scheduler)
    }

    /// An operator of the property's signal: ``Signal/deliver(on:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.deliver(on:)")
    public func deliver(on scheduler: some Scheduler) -> Signal<Value, Failure> { self.signal.deliver(on: scheduler) }

    /// An operator of the property's signal: ``Signal/merge(with:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.merge(with:)")
    public func merge<Other: SignalSource>(with other: Other) -> Signal<Value, Failure>
    where Other.Value == Value, Other.Failure == Failure { self.signal.merge(with: other) }

    /// An operator of the property's signal: ``Signal/zip(with:)``.
    @available(*, unavailable, message: "an operator of signals: property.signal.zip(with:)")
    public func zip<Other: SignalSource>(with other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Failure { self.signal.zip(with: other) }
}
