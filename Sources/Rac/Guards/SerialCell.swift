/// State of one subscription that only the delivery of an event touches.
///
/// `@unchecked Sendable` holds because a subscription's events come one after another, each happening before the next.
/// Created signals, subjects and operators with several sources pass their events through a ``SerialGate``.
@usableFromInline
final class SerialCell<State>: @unchecked Sendable {
    @usableFromInline var state: State

    @inlinable
    init(_ state: State) {
        self.state = state
    }
}
