/// The right side's value wins at the start; from then on every change on either side goes to the other.
///
/// The left side's stored value is left out; a left side that gets nothing at the start keeps it. When both sides
/// change at once, the later change stays on both. This also holds for a change that is on its way when the binding is
/// made, and across plain channels. Rings come to rest.
///
/// The binding keeps neither side alive. The release of a side, or of a side's property, undoes it and ends nothing.
/// An end that a program sends on one side ends the other; a failure that the other side cannot have completes it.
/// A property whose remote side has ended goes back to that side's last value whenever it is set. If that side never had
/// one, the property goes back to its own value from before the binding. This lasts until the binding is undone, or
/// another one gives the property values.
/// Semantics: docs/semantics.md, binding-2 to binding-9, binding-11. ReactiveObjC: RACChannelTo.
///
/// - Parameters:
///   - left: Takes the value of `right`, if it has one, before this returns.
///   - right: Gets nothing until `left` changes.
///   - endsWithOwner: Whether the release of a side's property ends the other side, too.
/// - Returns: The handle that undoes the binding and ends neither side; releasing it does nothing.
@inlinable
@discardableResult
public func bind<Value, LeftFailure, RightFailure>(
    _ left: ChannelTerminal<Value, LeftFailure>,
    to right: ChannelTerminal<Value, RightFailure>,
    endsWithOwner: Bool = false
) -> Subscription {
    let (left, right) = (left.port, right.port)
    // A side that has ended, and keeps its value, disposes what is added to it.
    let binding = left.isStanding ? Subscription() : Subscription(in: left.upstreams)
    if !right.isStanding { right.upstreams.add(binding) }
    binding.add(AnyDisposable { right.upstreams.remove(binding) })
    for holder in [left.remoteness?.holder, right.remoteness?.holder] { binding.hold(holder) }
    if left.answer != nil { right.tied?.tie(binding) }
    if right.answer != nil { left.tied?.tie(binding) }
    let (formerLeft, formerRight) = (FormerValue(of: left, beside: right), FormerValue(of: right, beside: left))
    left.whenReported(before: right) {
        // This order misses no change: a value that reaches the left side now goes to the right one. There it meets the
        // newer rank of the value that the left side gets next.
        left.pass(into: right, under: binding, replaying: .nothing, former: formerLeft) { ending in
            if right.outlives(left, in: binding) { return formerRight?.restore(right) ?? () }
            !endsWithOwner && left.hasLostOwner ? binding.dispose() : right.end(ending.carried())
        }
        right.pass(into: left, under: binding, replaying: .renewed, former: formerRight) { ending in
            if left.outlives(right, in: binding) { return formerLeft?.restore(left) ?? () }
            !endsWithOwner && right.hasLostOwner ? binding.dispose() : left.end(ending.carried())
        }
    }
    return binding
}

extension TerminalPort {
    /// Whether this side is far away, has ended and keeps its value.
    @inlinable
    var isStanding: Bool { self.remoteness?.isStanding() ?? false }

    /// Whether this property keeps the last value of the other side, which has ended.
    @inlinable
    func outlives<OtherFailure>(_ other: TerminalPort<Value, OtherFailure>, in binding: Subscription) -> Bool {
        guard let tied, other.isStanding, tied.outlive(binding) else { return false }
        other.upstreams.remove(binding)
        return true
    }

    /// Waits until this side's stored value is known, so that it can be left out, and then for the value that wins over
    /// it.
    ///
    /// A local property has a value that wins, so there is nothing to wait for. A remote field waits nevertheless: its
    /// value is sent with the other fields.
    @inlinable
    func whenReported<OtherFailure>(
        before right: TerminalPort<Value, OtherFailure>,
        _ begin: @escaping @Sendable () -> Void
    ) {
        guard let left = self.remoteness, self.isOver != nil || right.isOver == nil else { return begin() }
        left.whenReported { right.remoteness.map { $0.whenReported(begin) } ?? begin() }
    }
}

infix operator <~> : BindingPrecedence

/// The right side's value wins at the start; from then on every change on either side goes to the other.
///
/// - Parameters:
///   - left: The left side of the binding.
///   - right: Its right side.
/// - Returns: The handle that undoes it.
@inlinable
@discardableResult
public func <~> <Value, LeftFailure, RightFailure>(
    left: ChannelTerminal<Value, LeftFailure>,
    right: ChannelTerminal<Value, RightFailure>
) -> Subscription {
    bind(left, to: right)
}
