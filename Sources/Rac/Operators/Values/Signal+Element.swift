extension Signal {
    /// Passes on the value at a position, then completes and cancels the source.
    ///
    /// The first value has position 0. A source with fewer values gives `[done]`; a failure before that value passes.
    /// Semantics: docs/semantics.md, C401. RxSwift: element(at:). Combine: output(at:).
    ///
    /// - Parameter index: The position, 0 or more.
    /// - Returns: One value or none.
    @inlinable
    public func element(at index: Int) -> Signal<Value, Failure> {
        precondition(index >= 0, "A signal has no value at a negative position.")
        return self.lift { sink in
            let left = SerialCell(index)
            return { value in
                left.state -= 1
                // A source that is fed by its own output may have a value on its way after the end.
                guard left.state == -1 else { return }
                sink.send(value)
                sink.complete()
            }
        }
    }

    /// Pairs each value with its position.
    ///
    /// The first value has position 0. Empty `[done]`; a failure passes. Semantics: docs/semantics.md, C402. RxSwift:
    /// enumerated.
    ///
    /// - Returns: As many pairs as the source has values, and its end.
    @inlinable
    public func enumerated() -> Signal<(offset: Int, element: Value), Failure> {
        self.lift { sink in
            let next = SerialCell(0)
            return { value in
                let offset = next.state
                next.state += 1
                sink.send((offset, value))
            }
        }
    }
}
