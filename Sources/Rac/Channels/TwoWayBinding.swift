/// The right side's value wins at the start; from then on every change on either side goes to the other.
///
/// What the left side has kept is left out; a left side that is told nothing at the start keeps what it has. When both
/// sides change at once, the later change stays on both, also if it is on its way when the binding is made, and if
/// plain channels lie between (binding-5); rings come to rest (binding-4). Either side's end ends the other; a failure
/// that the other side cannot have completes it. The binding keeps neither side alive and undoes itself when one goes
/// away. Semantics: docs/semantics.md, binding-2 to binding-9. ReactiveObjC: RACChannelTo.
///
/// - Parameters:
///   - left: Takes the value of `right`, if it has one, before this returns.
///   - right: Is sent nothing until `left` changes.
/// - Returns: The handle that undoes the binding and ends neither side; letting go of it does not.
@discardableResult
public func bind<Value, LeftFailure, RightFailure>(
    _ left: ChannelTerminal<Value, LeftFailure>,
    to right: ChannelTerminal<Value, RightFailure>
) -> Subscription {
    let (left, right) = (left.port, right.port)
    let binding = Subscription(in: left.upstreams)
    right.upstreams.add(binding)
    binding.add(AnyDisposable { right.upstreams.remove(binding) })
    for holder in [left.remoteness?.holder, right.remoteness?.holder] { binding.hold(holder) }
    left.whenReported(before: right) {
        // In this order no change is missed: whatever comes to the left side now reaches the right one, where it meets
        // the newer rank of what the left side is told next.
        left.pass(into: right, under: binding, replaying: .nothing) { ending in
            left.isUndone(by: ending, for: right) ? binding.dispose() : right.end(ending.carried())
        }
        right.pass(into: left, under: binding, replaying: .renewed)
    }
    return binding
}

extension TerminalPort {
    /// Waits until what this side has kept is known, so that it can be left out, and then what wins over it.
    ///
    /// A property has what wins; so nothing has to be waited for.
    fileprivate func whenReported<OtherFailure>(
        before right: TerminalPort<Value, OtherFailure>,
        _ begin: @escaping @Sendable () -> Void
    ) {
        guard let left = self.remoteness, !right.endsWithOwner else { return begin() }
        left.whenReported { right.remoteness.map { $0.whenReported(begin) } ?? begin() }
    }

    /// Whether an end of this left side undoes its binding and no more: what its owner did not publish ends for nobody
    /// else when the owner goes.
    fileprivate func isUndone<OtherFailure>(
        by ending: Ending<Failure>,
        for right: TerminalPort<Value, OtherFailure>
    ) -> Bool {
        guard case .completed = ending else { return false }
        return self.endsWithOwner && right.remoteness != nil
    }
}

infix operator <~> : BindingPrecedence

/// The right side's value wins at the start; from then on every change on either side goes to the other.
///
/// - Parameters:
///   - left: The left side of the binding.
///   - right: Its right side.
/// - Returns: The handle that undoes it.
@discardableResult
public func <~> <Value, LeftFailure, RightFailure>(
    left: ChannelTerminal<Value, LeftFailure>,
    right: ChannelTerminal<Value, RightFailure>
) -> Subscription {
    bind(left, to: right)
}
