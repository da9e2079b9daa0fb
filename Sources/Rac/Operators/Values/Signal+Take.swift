extension Signal {
    /// Passes on the first values, then completes and cancels the source.
    ///
    /// The end comes with the last value, or with the source's own end if that is earlier; 0 never observes the source.
    /// It is safe in a loop that feeds the source from its own output. Semantics: docs/semantics.md, C018 to C021.
    /// ReactiveObjC: RACStream take.
    ///
    /// - Parameter count: The number of values, 0 or more.
    /// - Returns: No more than `count` values.
    @inlinable
    public func take(_ count: Int) -> Signal<Value, Failure> {
        precondition(count >= 0, "A signal cannot take a negative number of values.")
        guard count > 0 else { return .empty }
        return self.lift { sink in
            let left = SerialCell(count)
            return { value in
                guard left.state > 0 else { return }
                left.state -= 1
                let isLast = left.state == 0
                sink.send(value)
                if isLast { sink.complete() }
            }
        }
    }

    /// Leaves out the first values.
    ///
    /// A failure passes even while values are left out. Semantics: docs/semantics.md, C023, C024. ReactiveObjC:
    /// RACStream skip.
    ///
    /// - Parameter count: The number of values, 0 or more.
    /// - Returns: The values after the first `count`, and the source's end.
    @inlinable
    public func skip(_ count: Int) -> Signal<Value, Failure> {
        precondition(count >= 0, "A signal cannot skip a negative number of values.")
        return self.lift { sink in
            let left = SerialCell(count)
            return { value in
                guard left.state == 0 else {
                    left.state -= 1
                    return
                }
                sink.send(value)
            }
        }
    }
}
