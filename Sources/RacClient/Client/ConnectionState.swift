/// Whether a client has its daemon.
public enum ConnectionState: Equatable, Sendable {
    /// An attempt is being made.
    case connecting
    /// There is a connection, and the daemon has said welcome.
    case live
    /// There is no connection, for this reason; the next attempt is at that time. Writes wait meanwhile.
    case lost(ClientError, nextAttempt: ContinuousClock.Instant)
    /// The daemon will not have this client, for this reason; no other attempt is made.
    case refused(ClientError)
    /// The program has closed the client.
    case closed

    /// Whether there is a connection.
    public var isLive: Bool {
        if case .live = self { true } else { false }
    }

    /// Why there is no connection to that daemon; nil if there is one.
    ///
    /// The code is `connectionLost` while another attempt is made.
    func obstacle(to address: DaemonAddress) -> ClientError? {
        switch self {
        case .live: nil
        case .connecting: .noConnectionYet
        case .lost(let reason, _): ClientError(.connectionLost, reason.message, cause: reason)
        case .refused(let reason): reason
        case .closed: .closed(address)
        }
    }

    /// Whether no other connection comes.
    var isOver: Bool {
        switch self {
        case .refused, .closed: true
        case .connecting, .live, .lost: false
        }
    }
}

extension ClientError {
    /// The program has closed the client of that daemon.
    static func closed(_ address: DaemonAddress) -> ClientError {
        ClientError(.closed, "the client of \(address) has been closed")
    }
}

extension ConnectionState: CustomStringConvertible {
    /// The state in a few words, with the reason of a loss or a refusal.
    public var description: String {
        switch self {
        case .connecting: "connecting"
        case .live: "live"
        case .lost(let reason, _): "lost: \(reason)"
        case .refused(let reason): "refused: \(reason)"
        case .closed: "closed"
        }
    }
}
