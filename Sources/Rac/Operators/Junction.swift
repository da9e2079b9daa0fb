/// The meeting point of several sources of one subscription, values and timers alike: it takes one step at a time, in
/// order.
///
/// No lock is held during a step, and state that only steps touch needs no other guard.
@usableFromInline
protocol Junction<Step>: AnyObject, Sendable {
    /// The kinds of steps.
    associatedtype Step: Sendable

    /// Orders the steps.
    var gate: SerialGate<Step> { get }

    /// Carries out a step; called inside the gate only.
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
