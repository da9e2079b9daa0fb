import RacConnection

extension ClientError {
    /// The error, in other words if the daemon is older than this racctl and does not know the operation.
    func explained(_ what: String) -> any Error {
        guard self.code.rawValue == "unknown-op" else { return self }
        return CommandFailure(.other, code: self.code.rawValue, "this racd is too old to \(what): update it")
    }
}
