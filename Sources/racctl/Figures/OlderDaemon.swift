import RacConnection

extension ClientError {
    private static let unknownOperation = "unknown-op"

    /// The error, in other words if the daemon is older than this racctl and does not know the operation.
    func explained(_ what: String) -> any Error {
        self.code.rawValue == Self.unknownOperation ? CommandFailure(tooOldTo: what) : self
    }
}

extension CommandFailure {
    /// The failure of a daemon that is older than this racctl.
    init(tooOldTo what: String) {
        self.init(.other, code: "unknown-op", "this racd is too old to \(what): update it")
    }
}
