extension Signal where Value == Bool {
    /// Passes on the opposite of each value.
    ///
    /// Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C043. ReactiveObjC: RACSignal not.
    ///
    /// - Returns: As many values as the source has, and its end.
    @inlinable
    public func not() -> Signal<Bool, Failure> {
        self.map { !$0 }
    }

    /// Passes on whether the latest values of this signal and another are both true.
    ///
    /// It works like `combineLatest`, which describes the edge cases. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACSignal and.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: A value on each change, once both have sent one.
    @inlinable
    public func and(_ other: Signal<Bool, Failure>) -> Signal<Bool, Failure> {
        Rac.combineLatest(self, other) { $0 && $1 }
    }

    /// Passes on whether any of the latest values of this signal and another is true.
    ///
    /// It works like `combineLatest`, which describes the edge cases. Semantics: docs/semantics.md, "Operators".
    /// ReactiveObjC: RACSignal or.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: A value on each change, once both have sent one.
    @inlinable
    public func or(_ other: Signal<Bool, Failure>) -> Signal<Bool, Failure> {
        Rac.combineLatest(self, other) { $0 || $1 }
    }
}

extension Signal where Value == [Bool] {
    /// Passes on whether all members of each array are true.
    ///
    /// An array without members gives true. Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C044.
    /// ReactiveObjC: RACSignal and, which takes no empty array.
    ///
    /// - Returns: As many values as the source has, and its end.
    @inlinable
    public func and() -> Signal<Bool, Failure> {
        self.map { !$0.contains(false) }
    }

    /// Passes on whether any member of each array is true.
    ///
    /// An array without members gives false. Empty `[done]`; a failure passes. Semantics: docs/semantics.md,
    /// "Operators". ReactiveObjC: RACSignal or, which takes no empty array.
    ///
    /// - Returns: As many values as the source has, and its end.
    @inlinable
    public func or() -> Signal<Bool, Failure> {
        self.map { $0.contains(true) }
    }
}
