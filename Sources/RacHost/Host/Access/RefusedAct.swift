package import RacAccess
package import RacProtocol

/// A refusal for want of permission, as an audit line of the log shows it: never a token, a value or a session.
package struct RefusedAct: Hashable, Sendable {
    /// The act that was refused.
    package enum Act: Hashable, Sendable {
        /// Becoming a client, or staying one.
        case hello
        /// Something with a name that needs this verb, or without one.
        case use(Verb, ChannelName?)
    }

    package let code: ErrorCode
    /// The principal; nil if the client is none.
    package let principal: PrincipalName?
    package let act: Act

    package init(_ code: ErrorCode, _ principal: PrincipalName?, _ act: Act) {
        self.code = code
        self.principal = principal
        self.act = act
    }
}

/// Equal refusals of one connection in one tick.
package struct RefusedActs: Sendable {
    package let connection: ConnectionID
    package let act: RefusedAct
    package fileprivate(set) var count = 1
    /// The refusals of other acts and connections behind them that have no entry of their own.
    package fileprivate(set) var others = 0
}

/// The refusals of one tick: not more kinds of them than a tick can log at little cost.
struct RefusedActLog {
    private static let limit = 16

    private var entries: [RefusedActs] = []

    mutating func note(_ act: RefusedAct, of connection: ConnectionID) {
        if let index = self.entries.firstIndex(where: { $0.connection == connection && $0.act == act }) {
            self.entries[index].count += 1
        } else if self.entries.count < Self.limit {
            self.entries.append(RefusedActs(connection: connection, act: act))
        } else {
            self.entries[Self.limit - 1].others += 1
        }
    }

    mutating func take() -> [RefusedActs] {
        defer { self.entries = [] }
        return self.entries
    }
}
