/// Where several sources of one subscription meet, values and timers alike: steps are taken one at a time, in one order.
///
/// No lock is held while a step is taken, and what only steps touch needs no other guard.
@usableFromInline
protocol Junction<Step>: AnyObject, Sendable {
    /// What may happen here.
    associatedtype Step: Sendable

    /// Puts the steps in order.
    var gate: SerialGate<Step> { get }

    /// Does what a step asks for; called inside the gate only.
    func take(_ step: Step)
}

extension Junction {
    /// Takes a step at once, or leaves it for the thread that is taking one.
    @inlinable
    func takeInTurn(_ step: Step) {
        guard self.gate.enter() || self.gate.enterOrWait(step) else { return }
        self.take(step)
        self.gate.leave { self.take($0) }
    }
}
