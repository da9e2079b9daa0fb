/// The way in which a signal ended.
///
/// Semantics: docs/semantics.md, signal-2: the two kinds of end.
public enum Ending<Failure: Error>: Sendable {
    /// Completion: the signal ended as planned.
    case completed
    /// A failure ended the signal.
    case failed(Failure)
}

extension Ending: Equatable where Failure: Equatable {}
extension Ending: Hashable where Failure: Hashable {}
