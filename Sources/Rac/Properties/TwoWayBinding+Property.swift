/// The right property's value wins at the start; from then on every change of either property goes to the other.
///
/// It binds a new terminal of each.
///
/// - Parameters:
///   - left: Takes the value of `right` before this returns.
///   - right: Keeps its value until `left` changes.
/// - Returns: The handle that undoes the binding; releasing it does nothing.
@inlinable
@discardableResult
public func bind<Value>(_ left: Property<Value>, to right: Property<Value>) -> Subscription {
    bind(left.terminal(), to: right.terminal())
}

/// The right property's value wins at the start; from then on every change of either property goes to the other.
///
/// - Parameters:
///   - left: The left side of the binding.
///   - right: Its right side.
/// - Returns: The handle that undoes it.
@inlinable
@discardableResult
public func <~> <Value>(left: Property<Value>, right: Property<Value>) -> Subscription {
    bind(left, to: right)
}

/// The terminal's value wins at the start, if it has one; from then on every change of either side goes to the other.
///
/// - Parameters:
///   - left: The property, which takes the value of `right`.
///   - right: The terminal, such as that of a field.
/// - Returns: The handle that undoes it.
@inlinable
@discardableResult
public func <~> <Value, Failure>(left: Property<Value>, right: ChannelTerminal<Value, Failure>) -> Subscription {
    bind(left.terminal(), to: right)
}

/// The property's value wins at the start; from then on every change of either side goes to the other.
///
/// - Parameters:
///   - left: The terminal, which takes the value of `right`.
///   - right: The property.
/// - Returns: The handle that undoes it.
@inlinable
@discardableResult
public func <~> <Value, Failure>(left: ChannelTerminal<Value, Failure>, right: Property<Value>) -> Subscription {
    bind(left, to: right.terminal())
}
