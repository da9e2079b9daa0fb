// The forms of the joining functions as methods. The compiler prefers the one for signals that fail alike.

extension Signal {
    /// Pairs the latest values of this signal and another.
    ///
    /// It works like `combineLatest` of two signals, which describes the edge cases. Semantics: docs/semantics.md, C064 to
    /// C067.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: The pairs.
    @inlinable
    public func combineLatest<Other: SignalSource>(with other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Failure {
        Rac.combineLatest(self, other.signal)
    }

    /// Pairs the latest values of this signal and another.
    ///
    /// - Parameter other: Observed after this one; it cannot fail.
    /// - Returns: The pairs.
    @_disfavoredOverload
    @inlinable
    public func combineLatest<Other: SignalSource>(with other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Never {
        Rac.combineLatest(self, other.signal.setFailureType(to: Failure.self))
    }

    /// Pairs the values of this signal and another by position.
    ///
    /// It works like `zip` of two signals, which describes the edge cases. Semantics: docs/semantics.md, C055 to C058.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: The pairs.
    @inlinable
    public func zip<Other: SignalSource>(with other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Failure {
        Rac.zip(self, other.signal)
    }

    /// Pairs the values of this signal and another by position.
    ///
    /// - Parameter other: Observed after this one; it cannot fail.
    /// - Returns: The pairs.
    @_disfavoredOverload
    @inlinable
    public func zip<Other: SignalSource>(with other: Other) -> Signal<(Value, Other.Value), Failure>
    where Other.Failure == Never {
        Rac.zip(self, other.signal.setFailureType(to: Failure.self))
    }

    /// Passes on the values of this signal and another, as they come.
    ///
    /// It works like `merge` of two signals, which describes the edge cases. Semantics: docs/semantics.md, C072, C073.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: The values of both, one at a time.
    @inlinable
    public func merge<Other: SignalSource>(with other: Other) -> Signal<Value, Failure>
    where Other.Value == Value, Other.Failure == Failure {
        Rac.merge(self, other.signal)
    }

    /// Passes on the values of this signal and another, as they come.
    ///
    /// - Parameter other: Observed after this one; it cannot fail.
    /// - Returns: The values of both, one at a time.
    @_disfavoredOverload
    @inlinable
    public func merge<Other: SignalSource>(with other: Other) -> Signal<Value, Failure>
    where Other.Value == Value, Other.Failure == Never {
        Rac.merge(self, other.signal.setFailureType(to: Failure.self))
    }

    /// Follows this signal or another, whichever sends an event first.
    ///
    /// It works like `race` of two signals, which describes the edge cases. Semantics: docs/semantics.md, C413, C414.
    ///
    /// - Parameter other: Observed after this one.
    /// - Returns: The events of the first to send one.
    @inlinable
    public func race<Other: SignalSource>(with other: Other) -> Signal<Value, Failure>
    where Other.Value == Value, Other.Failure == Failure {
        Rac.race(self, other.signal)
    }

    /// Follows this signal or another, whichever sends an event first.
    ///
    /// - Parameter other: Observed after this one; it cannot fail.
    /// - Returns: The events of the first to send one.
    @_disfavoredOverload
    @inlinable
    public func race<Other: SignalSource>(with other: Other) -> Signal<Value, Failure>
    where Other.Value == Value, Other.Failure == Never {
        Rac.race(self, other.signal.setFailureType(to: Failure.self))
    }
}

extension Signal where Failure == Never {
    /// Pairs the latest values of this signal and another.
    ///
    /// - Parameter other: Observed after this one; its failure is the failure of the result.
    /// - Returns: The pairs.
    @_disfavoredOverload
    @inlinable
    public func combineLatest<Other: SignalSource>(with other: Other) -> Signal<(Value, Other.Value), Other.Failure> {
        Rac.combineLatest(self.setFailureType(to: Other.Failure.self), other.signal)
    }

    /// Pairs the values of this signal and another by position.
    ///
    /// - Parameter other: Observed after this one; its failure is the failure of the result.
    /// - Returns: The pairs.
    @_disfavoredOverload
    @inlinable
    public func zip<Other: SignalSource>(with other: Other) -> Signal<(Value, Other.Value), Other.Failure> {
        Rac.zip(self.setFailureType(to: Other.Failure.self), other.signal)
    }

    /// Passes on the values of this signal and another, as they come.
    ///
    /// - Parameter other: Observed after this one; its failure is the failure of the result.
    /// - Returns: The values of both, one at a time.
    @_disfavoredOverload
    @inlinable
    public func merge<Other: SignalSource>(with other: Other) -> Signal<Value, Other.Failure>
    where Other.Value == Value {
        Rac.merge(self.setFailureType(to: Other.Failure.self), other.signal)
    }

    /// Follows this signal or another, whichever sends an event first.
    ///
    /// - Parameter other: Observed after this one; its failure is the failure of the result.
    /// - Returns: The events of the first to send one.
    @_disfavoredOverload
    @inlinable
    public func race<Other: SignalSource>(with other: Other) -> Signal<Value, Other.Failure>
    where Other.Value == Value {
        Rac.race(self.setFailureType(to: Other.Failure.self), other.signal)
    }
}
