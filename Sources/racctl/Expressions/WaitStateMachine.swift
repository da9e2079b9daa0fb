import RacConnection
import RacProtocol

/// Decides when a wait is over.
struct WaitStateMachine {
    enum Action: Equatable {
        case wait
        /// The condition holds.
        case finish
        /// The channel has ended, so the condition cannot hold any more.
        case giveUp(ChannelEnd)
    }

    private let expression: WaitExpression
    /// Whether this connection has reported the channel.
    private(set) var isThere = false
    /// Whether the channel was there before a loss, and no connection has reported it since.
    private var wasThere = false

    init(_ expression: WaitExpression) {
        self.expression = expression
    }

    /// Another connection begins to report.
    mutating func connected() {
        self.wasThere = self.wasThere || self.isThere
        self.isThere = false
    }

    /// The channel's present state.
    ///
    /// No state means that it was deleted, which completes it for its binders.
    mutating func changed(_ state: ChannelState?, value: JSONText?) -> Action {
        self.isThere = state != nil
        self.wasThere = false
        switch self.expression {
        case .standing(let standing): return Self.action(standing, state)
        case .value(let comparison):
            if let value, comparison.holds(for: value) { return .finish }
            return Self.end(state).map(Action.giveUp) ?? .wait
        }
    }

    /// The watch has sent all present states.
    mutating func synced() -> Action {
        if self.wasThere { return self.changed(nil, value: nil) }
        return self.expression == .standing(.deleted) && !self.isThere ? .finish : .wait
    }

    private static func action(_ standing: WaitExpression.Standing, _ state: ChannelState?) -> Action {
        switch (standing, state, Self.end(state)) {
        case (.exists, _?, _), (.deleted, nil, _), (.ended, _, _?): .finish
        case (.completed, _, .completed?), (.failed, _, .failed?): .finish
        case (.completed, _, let end?), (.failed, _, let end?): .giveUp(end)
        case (.exists, nil, _), (.deleted, _?, _), (.ended, _, nil), (.completed, _, nil), (.failed, _, nil): .wait
        }
    }

    private static func end(_ state: ChannelState?) -> ChannelEnd? {
        switch state {
        case .open: nil
        case .completed, nil: .completed
        case .failed(let error): .failed(error)
        }
    }
}
