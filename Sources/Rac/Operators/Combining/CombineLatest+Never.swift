// The compiler prefers the function for signals that fail alike, also if none of them can fail.

/// Combines the latest values of two signals, one of which cannot fail.
///
/// The edge cases are those of signals that fail alike.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second; it cannot fail.
/// - Returns: The pairs.
@_disfavoredOverload
@inlinable
public func combineLatest<First, Second, Failure>(
    _ first: Signal<First, Failure>,
    _ second: Signal<Second, Never>
) -> Signal<(First, Second), Failure> {
    combineLatest(first, second.setFailureType(to: Failure.self))
}

/// Combines the latest values of two signals, one of which cannot fail.
///
/// The edge cases are those of signals that fail alike.
///
/// - Parameters:
///   - first: Observed first; it cannot fail.
///   - second: Observed second.
/// - Returns: The pairs.
@_disfavoredOverload
@inlinable
public func combineLatest<First, Second, Failure>(
    _ first: Signal<First, Never>,
    _ second: Signal<Second, Failure>
) -> Signal<(First, Second), Failure> {
    combineLatest(first.setFailureType(to: Failure.self), second)
}

/// Combines the latest values of two signals, one of which cannot fail, to one value.
///
/// The edge cases are those of signals that fail alike.
///
/// - Parameters:
///   - first: Observed first.
///   - second: Observed second; it cannot fail.
///   - transform: Called once for each pair and observer.
/// - Returns: The function's results.
@_disfavoredOverload
@inlinable
public func combineLatest<First, Second, Failure, Output>(
    _ first: Signal<First, Failure>,
    _ second: Signal<Second, Never>,
    transform: @escaping @Sendable (First, Second) -> Output
) -> Signal<Output, Failure> {
    combineLatest(first, second.setFailureType(to: Failure.self), transform: transform)
}

/// Combines the latest values of two signals, one of which cannot fail, to one value.
///
/// The edge cases are those of signals that fail alike.
///
/// - Parameters:
///   - first: Observed first; it cannot fail.
///   - second: Observed second.
///   - transform: Called once for each pair and observer.
/// - Returns: The function's results.
@_disfavoredOverload
@inlinable
public func combineLatest<First, Second, Failure, Output>(
    _ first: Signal<First, Never>,
    _ second: Signal<Second, Failure>,
    transform: @escaping @Sendable (First, Second) -> Output
) -> Signal<Output, Failure> {
    combineLatest(first.setFailureType(to: Failure.self), second, transform: transform)
}
