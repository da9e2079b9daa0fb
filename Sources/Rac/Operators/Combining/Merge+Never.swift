// The compiler prefers the function for signals that fail alike, also if none of them can fail.

/// Passes on the values of two signals, one of which cannot fail.
///
/// The edge cases are those of signals that fail alike.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second; it cannot fail.
/// - Returns: The values of both, one at a time.
@_disfavoredOverload
@inlinable
public func merge<Value, Failure>(
    _ first: Signal<Value, Failure>,
    _ second: Signal<Value, Never>
) -> Signal<Value, Failure> {
    merge(first, second.setFailureType(to: Failure.self))
}

/// Passes on the values of two signals, one of which cannot fail.
///
/// The edge cases are those of signals that fail alike.
///
/// - Parameters:
///   - first: Observed first; it cannot fail.
///   - second: Observed second.
/// - Returns: The values of both, one at a time.
@_disfavoredOverload
@inlinable
public func merge<Value, Failure>(
    _ first: Signal<Value, Never>,
    _ second: Signal<Value, Failure>
) -> Signal<Value, Failure> {
    merge(first.setFailureType(to: Failure.self), second)
}
