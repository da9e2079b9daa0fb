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
