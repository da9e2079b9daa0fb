/// The reason why an execution did not complete.
public enum CommandError<Failure: Error>: Error {
    /// It was refused: the command was not enabled at the call, and no work was started.
    case notEnabled
    /// The execution was cancelled.
    case cancelled
    /// The work failed.
    case failed(Failure)
}

extension CommandError: Equatable where Failure: Equatable {}
extension CommandError: Hashable where Failure: Hashable {}
