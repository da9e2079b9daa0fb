/// The right side's value wins at the start; from then on every change on either side goes to the other.
///
/// What the left side has kept is left out; a left side that is told nothing at the start keeps what it has. When both
/// sides change at once, the later change stays on both (rule R9); rings come to rest (rule R5). Either side's end ends
/// the other; a failure that the other side cannot have completes it. The binding keeps neither side alive and undoes
/// itself when one goes away. Semantics: T3 to T8, P6 to P9 with rules R4, R5, R9 and R10, RACChannelTo.
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
    let binding = Subscription(in: left.port.upstreams)
    right.port.upstreams.add(binding)
    binding.add(AnyDisposable { right.port.upstreams.remove(binding) })
    // In this order no change is missed: whatever comes to the left side now reaches the right one, where it meets the
    // newer rank of what the left side is told next.
    left.port.pass(into: right.port, under: binding, replaying: .nothing)
    right.port.pass(into: left.port, under: binding, replaying: .renewed)
    return binding
}

/// The right property's value wins at the start; from then on every change of either property goes to the other.
///
/// As the binding of their terminals, which it makes.
///
/// - Parameters:
///   - left: Takes the value of `right` before this returns.
///   - right: Is left alone until `left` changes.
/// - Returns: The handle that undoes the binding; letting go of it does not.
@discardableResult
public func bind<Value>(_ left: Property<Value>, to right: Property<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
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

/// The right property's value wins at the start; from then on every change of either property goes to the other.
///
/// - Parameters:
///   - left: The left side of the binding.
///   - right: Its right side.
/// - Returns: The handle that undoes it.
@discardableResult
public func <~> <Value>(left: Property<Value>, right: Property<Value>) -> Subscription {
    bind(left, to: right)
}
