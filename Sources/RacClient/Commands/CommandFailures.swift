import Rac
import RacProtocol

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CommandError<ClientError> {
    /// The meaning of a failure on the wire for the execution.
    init(_ error: ClientError) {
        switch error.code {
        case .notEnabled, .notHosted, .noSuchCommand: self = .notEnabled
        case .cancelled: self = .cancelled
        default: self = .failed(error)
        }
    }
}

extension ClientError {
    /// The end of an execution that a task waited for.
    init(_ error: CommandError<ClientError>) {
        switch error {
        case .notEnabled:
            self.init(.notEnabled, "the command is not enabled: it runs already, may not run, or has no host in reach")
        case .cancelled: self.init(.cancelled, "the execution was cancelled")
        case .failed(let error): self = error
        }
    }
}

extension WireError {
    /// How the end of a local execution travels to its caller.
    init<Failure>(of error: CommandError<Failure>, _ describe: (@Sendable (Failure) -> ClientError)?) {
        switch error {
        case .notEnabled: self.init(.notEnabled, "the command is not enabled where it is hosted")
        case .cancelled: self.init(code: ClientError.Code.cancelled.rawValue, message: "the execution was cancelled")
        case .failed(let failure):
            if let describe { self.init(describe(failure)) } else { self.init(telling: failure) }
        }
    }

    init(_ error: ClientError) {
        let code = error.code.rawValue
        let isFit = !code.isEmpty && code.utf8.count <= Self.maximumCodeBytes
        self.init(code: isFit ? code : Self.failed, message: error.message, data: error.data)
    }

    private init(telling failure: some Error) {
        switch failure {
        case let error as ClientError: self.init(error)
        case let error as WireError: self = error
        case let error as any LocalizedError:
            self.init(code: Self.failed, message: error.errorDescription ?? "the command failed")
        default: self.init(code: Self.failed, message: "the command failed where it is hosted")
        }
    }

    /// The code of failures that have none.
    private static let failed = "failed"
}
