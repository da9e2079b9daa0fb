import Logging
import Rac
import RacProtocol

/// The log of what goes wrong with one channel: a warning for each kind of error, not for each error.
///
/// Guards: a lock guards the newest kind, for a few lines at a time. Isolation: any thread.
final class ProblemLog: Sendable {
    private let channel: String
    private let logger: Logger?
    /// The code of the newest warning.
    private let warned = Guarded<ClientError.Code?>(nil)

    init(_ channel: String, _ logger: Logger?) {
        self.channel = channel
        self.logger = logger
    }

    /// Notes an error: as a warning, unless the last one was of the same kind.
    func note(_ message: String, _ error: ClientError) {
        guard let logger = self.logger else { return }
        let isNew = self.warned.withLock { warned in
            defer { warned = error.code }
            return warned != error.code
        }
        let metadata: Logger.Metadata = [
            "channel": "\(self.channel)", "code": "\(error.code.rawValue)", "reason": "\(error.message)",
        ]
        logger.log(level: isNew ? .warning : .debug, "\(message)", metadata: metadata)
    }

    /// The next error is a warning again.
    func reset() {
        self.warned.withLock { $0 = nil }
    }
}
