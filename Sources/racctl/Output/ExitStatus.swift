import RacConnection

/// The ends of racctl, which scripts distinguish.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case other = 1
    case usage = 2
    case missing = 3
    case conflict = 4
    case denied = 5
    case unreachable = 6
    case timedOut = 7
    case failed = 8
    case limit = 9
    case interrupted = 130

    private var meaning: String {
        switch self {
        case .done: "done, or the channel or the execution completed"
        case .other: "another error"
        case .usage: "wrong usage, or a file that cannot be used for a token or a certificate"
        case .missing: "there is no such channel, command or context, or nobody hosts it"
        case .conflict: "conflict: changed meanwhile, exists, has ended, or is busy"
        case .denied: "not allowed: racd asks for a token, or no role of it grants that"
        case .unreachable: "racd cannot be reached, or the connection to it was lost"
        case .timedOut: "timed out"
        case .failed: "the channel or the execution ended with an error"
        case .limit: "a limit of racd was reached"
        case .interrupted: "interrupted, by Ctrl-C or SIGTERM"
        }
    }

    /// The table of the help.
    static var table: String {
        Self.allCases
            .map { status in
                let number = String(status.rawValue)
                return String(repeating: " ", count: max(0, 5 - number.count)) + "\(number)  \(status.meaning)"
            }
            .joined(separator: "\n")
    }

    init(_ code: ClientError.Code) {
        switch code {
        case .invalidURL, .badName, .invalidCertificate, .badToken: self = .usage
        case .noSuchChannel, .noSuchCommand, .notHosted: self = .missing
        case .conflict, .exists, .terminated, .alreadyBound, .alreadyHosted, .notEnabled: self = .conflict
        case .unauthenticated, .forbidden, .untrusted, .insecure: self = .denied
        case .unreachable, .connectionLost, .shuttingDown: self = .unreachable
        case .timedOut: self = .timedOut
        case .limit, .tooLarge, .slowConsumer: self = .limit
        case .cancelled: self = .interrupted
        default: self = .other
        }
    }
}
