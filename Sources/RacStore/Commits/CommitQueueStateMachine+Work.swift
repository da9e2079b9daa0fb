package import RacProtocol

extension CommitQueueStateMachine {
    /// What a transaction holds, or a part of one.
    package struct Work: Equatable, Sendable {
        /// The newest change of each channel that changed.
        package var changes: [ChannelNumber: StoreChange] = [:]
        /// The newest of the batches that it takes in; nil if there is none.
        package var ticket: UInt64?
        /// The revisions to reserve.
        package var reservation: Revision?
        /// Whether somebody waits for it.
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

        /// This with what came after it.
        package func followed(by newer: Work) -> Work {
            Work(
                changes: self.changes.merging(newer.changes) { _, newer in newer },
                ticket: newer.ticket ?? self.ticket,
                reservation: newer.reservation ?? self.reservation,
                isAwaited: self.isAwaited || newer.isAwaited
            )
        }
    }

    /// A transaction that has begun.
    struct TransactionUnderWay: Sendable {
        private enum Wait {
            case none
            /// For the rest of a tick.
            case looking
            /// For those whom the last transaction has answered.
            case meeting
        }

        /// What was given to it, in its order.
        private(set) var parts: [Work]
        private var wait = Wait.none
        private var hasMet = false

        init(_ work: Work) {
            self.parts = [work]
        }

        /// How many changes it has; those of a channel in several parts count in each.
        var changeCount: Int { self.parts.reduce(0) { $0 + $1.changes.count } }
        var ticket: UInt64? { self.parts.last { $0.ticket != nil }?.ticket }
        var reservation: Revision? { self.parts[0].reservation }
        var isAwaited: Bool { self.parts.contains(where: \.isAwaited) }

        /// All of it.
        var work: Work { self.parts.dropFirst().reduce(self.parts[0]) { $0.followed(by: $1) } }

        mutating func add(_ work: Work) {
            self.parts.append(work)
            self.wait = .none
        }

        /// It waits for nobody any more.
        mutating func closes() {
            self.wait = .none
        }

        /// Whether it looks for the rest of a tick now: once behind each part.
        mutating func looks() -> Bool {
            guard self.wait == .none else { return false }
            self.wait = .looking
            return true
        }

        /// Whether it waits for others now: once, and if anybody waits for itself.
        mutating func meets() -> Bool {
            guard !self.hasMet, self.isAwaited else { return false }
            self.wait = .meeting
            self.hasMet = true
            return true
        }

        /// Whether it waited for others, which have come.
        mutating func met() -> Bool {
            guard self.wait == .meeting else { return false }
            self.wait = .none
            return true
        }
    }
}
