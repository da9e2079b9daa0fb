/// Whether a connection is alive: pinged when it is silent, ended when it stays silent.
///
/// Times are milliseconds of a clock that never goes back.
///
/// Semantics: protocol.md, "Heartbeats".
struct HeartbeatStateMachine: Sendable {
    enum OnTicked: Equatable {
        case nothing
        case ping
        case end
    }

    private let interval: UInt64
    private var heardAt: UInt64
    private var pingedAt: UInt64?

    init(interval: UInt64, at now: UInt64) {
        self.interval = interval
        self.heardAt = now
    }

    /// Something came.
    mutating func heard(at now: UInt64) {
        self.heardAt = now
        self.pingedAt = nil
    }

    /// Time has passed.
    mutating func ticked(at now: UInt64) -> OnTicked {
        guard now - self.heardAt < self.interval * 5 / 2 else { return .end }
        guard now - (self.pingedAt ?? self.heardAt) >= self.interval else { return .nothing }
        self.pingedAt = now
        return .ping
    }
}
