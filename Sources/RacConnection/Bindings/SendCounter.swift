package import RacProtocol

/// Numbers a terminal's sends and knows how many of them are on their way.
///
/// Semantics: protocol.md, "Sends".
package struct SendCounter: Sendable {
    private var last: SendNumber
    private var answered: SendNumber

    /// - Parameter lastApplied: The last send of this terminal that the daemon applied, as its answer to bind says.
    package init(lastApplied: SendNumber) {
        self.last = lastApplied
        self.answered = lastApplied
    }

    /// The number of the next send.
    package var next: SendNumber { self.last.next }

    /// The next send went out.
    package mutating func sent() {
        self.last = self.next
    }

    /// The daemon answered every send up to `number`; numbers that were never sent count as the last one.
    package mutating func answered(upTo number: SendNumber) {
        self.answered = max(self.answered, min(number, self.last))
    }

    /// The number of sends without an answer.
    package var underWay: Int {
        Int(truncatingIfNeeded: self.last.number - self.answered.number)
    }
}
