/// State of one subscription that is touched only while an event is delivered to it.
///
/// `@unchecked Sendable` holds because a subscription's events come one after another, each happening before the next:
/// a created signal, a subject and every operator with several sources pass them through a ``SerialGate``.
@usableFromInline
final class SerialCell<State>: @unchecked Sendable {
    @usableFromInline var state: State

    @inlinable
    init(_ state: State) {
        self.state = state
    }
}
