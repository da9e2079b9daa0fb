package import RacProtocol

extension CommitQueueStateMachine {
    /// The changes and the reservation of a transaction, or of a part of one.
    package struct Work: Equatable, Sendable {
        /// The newest change of each channel that changed.
        package var changes: [ChannelNumber: StoreChange] = [:]
        /// The ticket of the newest batch in it; nil if it holds a reservation only.
        package var ticket: UInt64?
        /// The last of the revisions to reserve.
        package var reservation: Revision?
        /// Channels with greater numbers are removed before the changes; nil unless a failed transaction may have stored any.
        package var removesBeyond: ChannelNumber?
        /// Whether a client waits for it.
        package var isAwaited: Bool

        package init(
            changes: [ChannelNumber: StoreChange] = [:],
            ticket: UInt64? = nil,
            reservation: Revision? = nil,
            isAwaited: Bool = true
        ) {
            self.changes = changes
            self.ticket = ticket
            self.reservation = reservation
            self.isAwaited = isAwaited
        }

        static let nothing = Work(isAwaited: false)

        var isEmpty: Bool { self.ticket == nil && self.reservation == nil }

        /// Joins newer work, whose changes replace older ones of the same channels.
        package func followed(by newer: Work) -> Work {
            var work = Work(
                changes: self.changes.merging(newer.changes) { _, newer in newer },
                ticket: newer.ticket ?? self.ticket,
                reservation: newer.reservation ?? self.reservation,
                isAwaited: self.isAwaited || newer.isAwaited
            )
            work.removesBeyond = self.removesBeyond ?? newer.removesBeyond
            return work
        }
    }

    /// A transaction between its begin and its commit.
    struct TransactionUnderWay: Sendable {
        private enum Wait {
            case none
            /// It spins for the rest of a tick.
            case looking
            /// It sleeps until the clients write again that the last transaction has answered.
            case meeting
        }

        /// The works that were written to it, in their order.
        private(set) var parts: [Work]
        private var wait = Wait.none
        private var hasMet = false

        init(_ work: Work) {
            self.parts = [work]
        }

        /// The number of its changes; a channel that changed in several parts counts in each.
        var changeCount: Int { self.parts.reduce(0) { $0 + $1.changes.count } }
        var ticket: UInt64? { self.parts.last { $0.ticket != nil }?.ticket }
        var reservation: Revision? { self.parts[0].reservation }
        var isAwaited: Bool { self.parts.contains(where: \.isAwaited) }

        /// All parts as one work.
        var work: Work { self.parts.dropFirst().reduce(self.parts[0]) { $0.followed(by: $1) } }

        mutating func add(_ work: Work) {
            self.parts.append(work)
            self.wait = .none
        }

        /// Ends its waits: the commit begins.
        mutating func closes() {
            self.wait = .none
        }

        /// Begins to spin for the rest of a tick, once behind each part; false if it has done so.
        mutating func looks() -> Bool {
            guard self.wait == .none else { return false }
            self.wait = .looking
            return true
        }

        /// Begins to wait for answered clients, once, and only if a client waits for it; false otherwise.
        mutating func meets() -> Bool {
            guard !self.hasMet, self.isAwaited else { return false }
            self.wait = .meeting
            self.hasMet = true
            return true
        }

        /// Ends the wait for answered clients; false if there was none.
        mutating func met() -> Bool {
            guard self.wait == .meeting else { return false }
            self.wait = .none
            return true
        }
    }
}
