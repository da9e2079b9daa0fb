/// One thing that a signal says: a value, or how it ended.
///
/// A signal says any number of values and then at most one of the other two. Semantics: docs/semantics.md, signal-2,
/// event-1. ReactiveObjC: RACEvent.
public enum Event<Value, Failure: Error> {
    /// A value; more may follow.
    case value(Value)
    /// The end, because of a failure.
    case failed(Failure)
    /// The end, as planned.
    case completed
}

extension Event: Sendable where Value: Sendable {}
extension Event: Equatable where Value: Equatable, Failure: Equatable {}
extension Event: Hashable where Value: Hashable, Failure: Hashable {}

extension Event {
    /// Makes the event that says how a signal ended.
    ///
    /// - Parameter ending: The end to be told.
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
