import NIOCore
package import RacProtocol

/// A terminal's sends that have no answer, in their order.
///
/// Semantics: protocol.md, "Sends" and "Over connections".
package struct UnansweredSends: Sendable {
    private(set) var sends = CircularBuffer<Send>()
    /// The number of the newest send.
    package private(set) var last: SendNumber

    /// - Parameter lastApplied: The last send of this terminal that the daemon applied, as its answer to bind says.
    package init(lastApplied: SendNumber) {
        self.last = lastApplied
    }

    package var isEmpty: Bool { self.sends.isEmpty }
    package var count: Int { self.sends.count }

    /// The number of the next send.
    package var next: SendNumber { self.last.next }

    /// The newest value that has no answer, with the number of its send.
    package var newestValue: (value: JSONText, number: SendNumber)? {
        guard let last = self.sends.last, case .next(let value, _, _) = last.event else { return nil }
        return (value, last.number)
    }

    /// A send went out.
    package mutating func append(_ send: Send) {
        self.last = send.number
        self.sends.append(send)
    }

    /// The daemon answered every send up to `number`.
    package mutating func answered(upTo number: SendNumber) {
        while let first = self.sends.first, first.number <= number { self.sends.removeFirst() }
    }

    /// The daemon has taken the numbers over to the next channel of that name.
    package mutating func goOn(in bound: Bound) {
        self.last = max(self.last, bound.lastApplied)
        for index in self.sends.indices { self.sends[index].terminal = bound.terminal }
    }

    /// The daemon does not know the numbers, because it began a new epoch: the sends are counted anew.
    package mutating func renumber(for bound: Bound) {
        self.last = bound.lastApplied
        for index in self.sends.indices {
            self.last = self.last.next
            self.sends[index].terminal = bound.terminal
            self.sends[index].number = self.last
        }
    }
}

/// The rest of a lost binding, with which the next one of its session goes on.
package struct BindingRest: Sendable {
    /// The daemon's epoch, in which the numbers are good.
    let epoch: String?
    let terminal: TerminalID
    let mode: ChannelMode
    /// The newest revision that the daemon has reported.
    let newest: Revision
    let agreement: OpenWriteStateMachine
    let unanswered: UnansweredSends

    /// The revision whose value the daemon need not send.
    ///
    /// In another epoch the same revision may be another value, with which a shared channel's is compared.
    func since(in epoch: String?) -> Revision {
        self.mode == .paired || epoch == self.epoch ? self.newest : .never
    }

    /// The number of sends without an answer.
    package var unansweredCount: Int { self.unanswered.count }
}
