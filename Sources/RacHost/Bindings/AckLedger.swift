package import RacProtocol

/// Which sends of one binding may be acknowledged: in their order, those that asked for the disk after their commit.
///
/// Semantics: protocol.md, "Acknowledgements".
package struct AckLedger: Sendable {
    package struct Ack: Equatable, Sendable {
        package var number: SendNumber
        package var revision: Revision
    }

    private struct Held: Sendable {
        var ack: Ack
        /// The batch whose commit it waits for; nil: only for its turn.
        var ticket: UInt64?
    }

    package enum Outcome: Equatable, Sendable {
        case acknowledged(Ack)
        case notStored(SendNumber)
    }

    private var ready: Ack?
    private var held: [Held] = []

    package init() {}

    /// How many acknowledgements wait for a commit, or for their turn behind one that does.
    package var waiting: Int { self.held.count }

    /// A send was carried out; with a ticket it is acknowledged when that batch is on disk.
    package mutating func applied(_ number: SendNumber, as revision: Revision, ticket: UInt64?) {
        let ack = Ack(number: number, revision: revision)
        guard ticket != nil || !self.held.isEmpty else {
            self.ready = ack
            return
        }
        if ticket == nil, let last = self.held.indices.last, self.held[last].ticket == nil {
            self.held[last].ack = ack
        } else {
            self.held.append(Held(ack: ack, ticket: ticket))
        }
    }

    /// Every batch up to this one is on disk.
    package mutating func committed(through ticket: UInt64) {
        let count = self.countDecided(by: ticket)
        guard count > 0 else { return }
        self.ready = self.held[count - 1].ack
        self.held.removeFirst(count)
    }

    /// The batches up to this one could not be written: what waited for them is decided, in its order.
    package mutating func failed(through ticket: UInt64) -> [Outcome] {
        let count = self.countDecided(by: ticket)
        let outcomes = self.held[..<count].map { held in
            held.ticket == nil ? Outcome.acknowledged(held.ack) : .notStored(held.ack.number)
        }
        self.held.removeFirst(count)
        return outcomes
    }

    /// What can be told now: everything up to it, in one acknowledgement.
    package mutating func take() -> Ack? {
        defer { self.ready = nil }
        return self.ready
    }

    private func countDecided(by ticket: UInt64) -> Int {
        self.held.prefix { $0.ticket ?? 0 <= ticket }.count
    }
}
