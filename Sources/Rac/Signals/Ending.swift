/// How a signal ended.
///
/// Semantics: the two terminal events of S2.
public enum Ending<Failure: Error>: Sendable {
    /// As planned.
    case completed
    /// Because of a failure.
    case failed(Failure)
}

extension Ending: Equatable where Failure: Equatable {}
extension Ending: Hashable where Failure: Hashable {}
