/// How a signal ended.
///
/// Semantics: docs/semantics.md, signal-2: the two kinds of end.
public enum Ending<Failure: Error>: Sendable {
    /// As planned.
    case completed
    /// Because of a failure.
    case failed(Failure)
}

extension Ending: Equatable where Failure: Equatable {}
extension Ending: Hashable where Failure: Hashable {}
