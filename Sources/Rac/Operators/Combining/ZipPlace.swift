/// The values of one member that wait for those of the others.
///
/// `@unchecked Sendable` holds because it is touched inside the gate of its combination only.
@usableFromInline
final class ZipPlace<Value: Sendable>: @unchecked Sendable {
    @usableFromInline var line = Fifo<Value>()

    @inlinable
    init() {}

    /// Takes the oldest waiting value.
    @inlinable
    func takeFirst() -> Value {
        guard let first = self.line.popFirst() else {
            preconditionFailure("A row is taken only when every member has a value waiting.")
        }
        return first
    }
}
