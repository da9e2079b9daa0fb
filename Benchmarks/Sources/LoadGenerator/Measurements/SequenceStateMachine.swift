/// Whether one binder gets every value, each once and in order.
package struct SequenceStateMachine {
    package enum OnArrival: Equatable {
        /// The next value of the sequence.
        case good
        /// Later than the one awaited.
        case gap
        /// One that was there before, a revision that did not grow, or no numbered value at all.
        case disorder
    }

    private var lastNumber = 0
    private var lastRevision = 0

    package init() {}

    /// A value arrived; `revision` is nil where the server gives none.
    package mutating func arrived(number: Int?, revision: Int?) -> OnArrival {
        guard let number, number > self.lastNumber else { return .disorder }
        if let revision, revision <= self.lastRevision { return .disorder }
        let awaited = self.lastNumber + 1
        self.lastNumber = number
        self.lastRevision = revision ?? self.lastRevision
        return number == awaited ? .good : .gap
    }
}
