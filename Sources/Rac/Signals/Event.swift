/// One event of a signal: a value or an end.
///
/// A signal sends any number of values and then at most one end. Semantics: docs/semantics.md, signal-2, event-1.
/// ReactiveObjC: RACEvent.
public enum Event<Value, Failure: Error> {
    /// A value; more may follow.
    case value(Value)
    /// The end, by a failure.
    case failed(Failure)
    /// The end, as planned.
    case completed
}

extension Event: Sendable where Value: Sendable {}
extension Event: Equatable where Value: Equatable, Failure: Equatable {}
extension Event: Hashable where Value: Hashable, Failure: Hashable {}

extension Event {
    /// Makes the event of an end.
    ///
    /// - Parameter ending: The end.
    @inlinable
    public init(_ ending: Ending<Failure>) {
        switch ending {
        case .failed(let failure): self = .failed(failure)
        case .completed: self = .completed
        }
    }

    /// The value, or nil if this is an end.
    @inlinable
    public var value: Value? {
        if case .value(let value) = self { value } else { nil }
    }

    /// The end, or nil if this is a value.
    @inlinable
    public var ending: Ending<Failure>? {
        switch self {
        case .value: nil
        case .failed(let failure): .failed(failure)
        case .completed: .completed
        }
    }
}
