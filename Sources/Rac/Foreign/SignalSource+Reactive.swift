// Names of ReactiveSwift and RxSwift, so that the compiler names the ones of this library. None can be called.

extension SignalSource where Failure == Never {
    /// ReactiveSwift's name of ``SignalSource/onValue(_:)``, which goes on when its handle is dropped.
    @available(*, unavailable, renamed: "onValue(_:)")
    @discardableResult
    public func observeValues(_ handler: @escaping @Sendable (Value) -> Void) -> Subscription { self.onValue(handler) }

    /// ReactiveSwift's name of ``SignalSource/onValue(_:)``, which goes on when its handle is dropped.
    @available(*, unavailable, renamed: "onValue(_:)")
    @discardableResult
    public func startWithValues(_ handler: @escaping @Sendable (Value) -> Void) -> Subscription {
        self.onValue(handler)
    }

    /// RxSwift's name of ``SignalSource/onValue(_:)``, which goes on when its handle is dropped.
    @available(*, unavailable, renamed: "onValue(_:)")
    @discardableResult
    public func subscribe(onNext handler: @escaping @Sendable (Value) -> Void) -> Subscription { self.onValue(handler) }
}

extension SignalSource {
    /// The name of ``Signal/deliver(on:)`` in ReactiveSwift and RxSwift.
    @available(*, unavailable, renamed: "deliver(on:)")
    public func observe<Place>(on scheduler: Place) -> Signal<Value, Failure> { self.signal }

    /// ReactiveSwift's name of ``Signal/removeDuplicates()``.
    @available(*, unavailable, renamed: "removeDuplicates()")
    public func skipRepeats() -> Signal<Value, Failure> { self.signal }

    /// RxSwift's name of ``Signal/removeDuplicates()``.
    @available(*, unavailable, renamed: "removeDuplicates()")
    public func distinctUntilChanged() -> Signal<Value, Failure> { self.signal }

    /// RxSwift's name of ``Signal/starting(with:)``.
    @available(*, unavailable, renamed: "starting(with:)")
    public func startWith(_ value: Value) -> Signal<Value, Failure> { self.signal }

    /// RxSwift's name of ``Signal/withLatest(from:)``.
    @available(*, unavailable, renamed: "withLatest(from:)")
    public func withLatestFrom<Other: SignalSource>(_ other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Failure { self.signal.withLatest(from: other) }

    /// RxSwift's name of ``Signal/flatMap(_:_:)`` with `.latest`.
    @available(*, unavailable, message: "flatMap(.latest) { … } follows the newest signal")
    public func flatMapLatest<Output>(
        _ transform: @escaping @Sendable (Value) -> Signal<Output, Failure>
    ) -> Signal<Output, Failure> { self.signal.flatMap(.latest, transform) }

    /// RxSwift's name of ``Signal/on(value:failed:completed:)``.
    @available(*, unavailable, renamed: "on(value:)")
    public func `do`(onNext: @escaping @Sendable (Value) -> Void) -> Signal<Value, Failure> { self.signal }
}

extension Disposable {
    /// Combine's name of ``Disposable/dispose()``.
    @available(*, unavailable, renamed: "dispose()")
    public func cancel() { self.dispose() }

    /// RxSwift's name of ``Disposable/store(in:)``.
    @available(*, unavailable, renamed: "store(in:)")
    public func disposed(by bag: DisposeBag) { self.store(in: bag) }
}
