/// Why an execution did not complete.
public enum CommandError<Failure: Error>: Error {
    /// It was refused: the command was not enabled when it was asked for, and nothing was started.
    case notEnabled
    /// Somebody cancelled it.
    case cancelled
    /// The work failed.
    case failed(Failure)
}

extension CommandError: Equatable where Failure: Equatable {}
extension CommandError: Hashable where Failure: Hashable {}
