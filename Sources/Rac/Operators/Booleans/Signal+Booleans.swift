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
    /// As `combineLatest`, which has the edge cases. Semantics: docs/semantics.md, "Operators". ReactiveObjC: RACSignal
    /// and.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: A value on each change, once both have spoken.
    @inlinable
    public func and(_ other: Signal<Bool, Failure>) -> Signal<Bool, Failure> {
        combineLatest(self, other) { $0 && $1 }
    }

    /// Passes on whether any of the latest values of this signal and another is true.
    ///
    /// As `combineLatest`, which has the edge cases. Semantics: docs/semantics.md, "Operators". ReactiveObjC: RACSignal
    /// or.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: A value on each change, once both have spoken.
    @inlinable
    public func or(_ other: Signal<Bool, Failure>) -> Signal<Bool, Failure> {
        combineLatest(self, other) { $0 || $1 }
    }
}

extension Signal where Value == [Bool] {
    /// Passes on whether all members of each array are true.
    ///
    /// So true for an array without members. Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C044.
    /// ReactiveObjC: RACSignal and; unlike there, an array may be empty.
    ///
    /// - Returns: As many values as the source has, and its end.
    @inlinable
    public func and() -> Signal<Bool, Failure> {
        self.map { !$0.contains(false) }
    }

    /// Passes on whether any member of each array is true.
    ///
    /// So false for an array without members. Empty `[done]`; a failure passes. Semantics: docs/semantics.md,
    /// "Operators". ReactiveObjC: RACSignal or; unlike there, an array may be empty.
    ///
    /// - Returns: As many values as the source has, and its end.
    @inlinable
    public func or() -> Signal<Bool, Failure> {
        self.map { $0.contains(true) }
    }
}
